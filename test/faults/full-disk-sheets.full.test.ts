import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { aDirectory, ask } from '../processes/command.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'
import { fillDisk, smallDisk, withoutMounts } from '../processes/small-disk.ts'

const skip = withoutMounts()
const mebibyte = 2 ** 20

/** A service with a small disk for its database, or for its temporary files; and the disk, as it is from here. */
async function startOnDisk(t: TestContext, sizeMiB: number, of: 'database' | 'spool') {
  const [home, disk] = [aDirectory(t), join(aDirectory(t), 'disk')]
  mkdirSync(disk)
  const env = {
    ...settingsFor(of === 'database' ? disk : home),
    PETSTORE_FIRST_KEY_FILE: join(home, 'first-key'),
    PETSTORE_SPOOL_DIRECTORY: of === 'spool' ? disk : home,
  }
  const service = await startService({ env, wrapper: smallDisk(disk, sizeMiB) })
  t.after(() => service.kill())
  return { ...service, disk: join(`/proc/${service.pid}/root`, disk) }
}

const rowsOf = (count: number) =>
  `name,categoryId\n${Array.from({ length: count }, (_, index) => `Sunny ${index} cream,${index}\n`).join('')}`

const importOf = ({ baseUrl, key }: Service, count: number, idempotencyKey = `${count}`) =>
  ask(`${baseUrl}/pets/import`, key, {
    method: 'POST',
    headers: { 'content-type': 'text/csv', 'idempotency-key': idempotencyKey },
    body: rowsOf(count),
  })

const exportOf = ({ baseUrl, key }: Service, query = '') =>
  ask(`${baseUrl}/pets/export${query}`, key)

async function expectWhole(service: Service, count: number) {
  const { status, text, headers } = await exportOf(service)
  assert.equal(status, 200, text)
  assert.equal(Buffer.byteLength(text), Number(headers.get('content-length')))
  assert.equal(text.trimEnd().split('\r\n').length, count + 1)
}

const part = 1_000

it('503: a disk without space for a temporary file refuses exports whole, and is free again after each', {
  skip,
}, async (t) => {
  const service = await startOnDisk(t, 1, 'spool')
  for (let key = 0; key < 40; key++) {
    const { status, text } = await importOf(service, part, `${key}`)
    assert.equal(status, 200, text)
  }

  for (let round = 0; round < 5; round++) {
    const { status, text, headers } = await exportOf(service)
    assert.equal(status, 503, text)
    assert.match(text, /The disk has no space for a temporary file/)
    assert.equal(headers.get('content-disposition'), null)
  }

  assert.equal((await exportOf(service, '?id=1')).text.split('\r\n').length, 3)
  await service.stop()
})

it('503: a disk that fills while imports are stored: each is whole or not there, and follows once there is space', {
  skip,
}, async (t) => {
  const service = await startOnDisk(t, 96, 'database')
  const filler = join(service.disk, 'filler')
  fillDisk(filler, 88 * mebibyte)

  let stored = 0
  let cut = await importOf(service, part, `${stored}`)
  for (; cut.status === 200; cut = await importOf(service, part, `${stored}`)) stored += 1

  assert.equal(cut.status, 503, cut.text)
  await expectWhole(service, stored * part)
  rmSync(filler)
  let again = await importOf(service, part, `${stored}`)
  // The service looks for space again in a moment.
  while (again.status === 503) again = await importOf(service, part, `${stored}`)
  assert.equal(again.status, 200, again.text)
  await expectWhole(service, (stored + 1) * part)
  await service.stop()
})
