import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { amount } from '../harness/extent.ts'
import { pictureOf, tagOf } from '../harness/photos.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'
import { fillDisk, smallDisk, withoutMounts } from '../processes/small-disk.ts'

const mebibyte = 2 ** 20
const petIds = [1, 2, 3, 4]

function photoOf({ baseUrl, key }: Service, petId: number, file?: Buffer) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'image/png' }
  const sent = file && { method: 'PUT', body: new Uint8Array(file) }
  return fetch(`${baseUrl}/pets/${petId}/photo`, { headers, ...sent })
}

/** The tag of a photo, whose bytes have it. */
async function tagIn(service: Service, petId: number): Promise<string | null> {
  const response = await photoOf(service, petId)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status === 404) return null
  assert.equal(response.headers.get('etag'), tagOf(bytes))
  return tagOf(bytes)
}

it('kill -9 while photos are stored: each is whole, and none older than what was acknowledged', async (t) => {
  const env = settingsFor(aDirectory(t))
  await petstoreInThread(['seed', '--count', '4'], { env })
  let size = mebibyte
  for (let round = 0; round < amount({ quick: 3, full: 20 }); round++) {
    const service = await startService({ env })
    const allowed = new Map<number, Set<string | null>>()
    for (const petId of petIds) allowed.set(petId, new Set([await tagIn(service, petId)]))
    const killed = new AbortController()
    const sending = petIds.map(async (petId) => {
      for (;;) {
        size += 1
        const file = pictureOf(size)
        allowed.get(petId)?.add(tagOf(file))
        const { status } = await photoOf(service, petId, file)
        if (status > 299) throw new Error(`${status}`)
        allowed.set(petId, new Set([tagOf(file)]))
      }
    })
    setTimeout(() => killed.abort(), 200 + 50 * round)
    killed.signal.addEventListener('abort', () => service.kill())
    await Promise.allSettled(sending)

    const after = await startService({ env })
    for (const petId of petIds)
      assert.ok(allowed.get(petId)?.has(await tagIn(after, petId)), `pet ${petId}`)
    await after.stop()
    const verified = await petstoreInThread(['verify'], { env })
    assert.equal(verified.code, 0, verified.stdout)
  }
})

it('503: a disk that fills refuses a photo whole; the one before stays, and the next follows once there is space', {
  skip: withoutMounts(),
}, async (t) => {
  const [home, disk] = [aDirectory(t), join(aDirectory(t), 'disk')]
  mkdirSync(disk)
  const env = { ...settingsFor(disk), PETSTORE_FIRST_KEY_FILE: join(home, 'first-key') }
  const service = await startService({ env, wrapper: smallDisk(disk, 96) })
  t.after(() => service.kill())
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
  const body = '{"name":"Rex","categoryId":1}'
  await fetch(`${service.baseUrl}/pets`, { method: 'POST', headers, body })
  const filler = join(`/proc/${service.pid}/root`, disk, 'filler')

  let last = ''
  let size = 3 * mebibyte
  let refused = await photoOf(service, 1, pictureOf(size))
  for (; refused.status < 300; refused = await photoOf(service, 1, pictureOf(size))) {
    // What the database has of the disk is used again and again: the file is full once what is stored grows.
    if (last === '') fillDisk(filler)
    last = tagOf(pictureOf(size))
    size += size > 3.9 * mebibyte ? 1 : 65_536
  }

  assert.equal(refused.status, 503, await refused.text())
  assert.equal(await tagIn(service, 1), last)
  rmSync(filler)
  assert.equal((await photoOf(service, 1, pictureOf(size))).status, 200)
  assert.equal(await tagIn(service, 1), tagOf(pictureOf(size)))
  await service.stop()
})
