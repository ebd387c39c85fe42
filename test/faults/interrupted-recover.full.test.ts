import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { it, type TestContext } from 'node:test'
import { insertPets } from '../../src/features/pets/queries.ts'
import { crashStore, serveStore } from '../harness/crashed-store.ts'
import { until } from '../harness/until.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { launchService } from '../processes/process.ts'

const pets = 20_000

/** A store with many pets that lacks its last commit; `spoil` damages its database too. */
async function aDamagedStore(t: TestContext, spoil: (bytes: Buffer) => void) {
  const path = await crashStore(aDirectory(t), { pets: 1 })
  const db = await serveStore(path)
  const pet = { name: 'x'.repeat(500), categoryId: 1n }
  await Promise.all(Array.from({ length: pets }, () => db.write(insertPets, pet)))
  await db.close()
  const bytes = readFileSync(path)
  spoil(bytes)
  const last = await serveStore(path)
  await last.write(insertPets, pet)
  await last.close()
  writeFileSync(path, bytes)
  return path
}

function spoilPage(bytes: Buffer) {
  const text = bytes.indexOf('x'.repeat(500), bytes.length / 2)
  const page = text - (text % 4096)
  bytes.fill(0xff, page, page + 64)
}

for (const { ending, title, spoil } of [
  { ending: '.recovering', title: 'while it copies the files', spoil: () => undefined },
  { ending: '.salvaging', title: 'while it copies rows', spoil: spoilPage },
]) {
  it(`recover: kill -9 ${title} leaves the damaged store as it was, and the next run recovers it`, async (t) => {
    const path = await aDamagedStore(t, spoil)
    const before = readFileSync(path)
    const env = { PETSTORE_DATABASE: `sqlite:${path}` }

    await using command = launchService({ args: ['recover'], env })
    await until(() => existsSync(path + ending))
    const { signal } = await command.kill()
    const after = readFileSync(path)
    const refused = await petstoreInThread(['deprecations'], { env })
    const { code, stdout } = await petstoreInThread(['recover', '--json'], { env })

    assert.equal(signal, 'SIGKILL')
    assert.ok(after.equals(before))
    assert.equal(refused.code, 65)
    assert.match(refused.stderr, /petstore\.db lacks commit \d+, which was acknowledged/)
    assert.equal(code, 0, stdout)
    assert.ok(readFileSync(JSON.parse(stdout).kept).equals(before))
    assert.ok(!existsSync(path + ending))
    const list = await petstoreInThread(['verify'], { env })
    assert.equal(list.code, 0, list.stdout)
  })
}
