import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { crashStore, serveStore } from '../harness/crashed-store.ts'
import { itInFull } from '../harness/extent.ts'
import { expectRefusal } from '../harness/refusal.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

it('65 damaged: a flipped bit in the log; no command opens it, and nothing is changed', async (t) => {
  const directory = aDirectory(t)
  const path = await crashStore(directory, { pets: 5 })
  const log = readFileSync(`${path}-wal`)
  log[9_000] = (log[9_000] as number) ^ 1
  writeFileSync(`${path}-wal`, log)
  const message =
    /petstore\.db-wal, the log of \S+, is damaged at frame 3 of \d+: opening it would lose commits/

  await expectRefusal(directory, { reason: 'damaged', message })
  for (const args of [['deprecations'], ['verify'], ['seed', '--count', '1']]) {
    const { code, stderr } = await petstoreInThread(args, {
      env: { PETSTORE_DATABASE: `sqlite:${path}` },
    })
    assert.equal(code, 65, stderr)
    assert.match(stderr, message)
  }
  await expectRefusal(directory, { reason: 'damaged', message })
})

itInFull(
  '65 damaged: an older copy, and another store, in the place of the database',
  async (t) => {
    const directory = aDirectory(t)
    const path = join(directory, 'petstore.db')
    await (await serveStore(path)).close()
    const other = join(aDirectory(t), 'petstore.db')
    await (await serveStore(other)).close()
    const env = { PETSTORE_DATABASE: `sqlite:${path}` }
    await petstoreInThread(['keys', 'create', '--name', 'a'], { env })
    const older = readFileSync(path)
    const { code, stderr } = await petstoreInThread(['keys', 'create', '--name', 'b'], { env })
    assert.equal(code, 0, stderr)

    writeFileSync(path, readFileSync(other))
    await expectRefusal(directory, {
      reason: 'damaged',
      message: /is not the store of \S+\.witness: another file was put in its place\./,
    })
    writeFileSync(path, older)
    await expectRefusal(directory, {
      reason: 'damaged',
      message: /lacks commit.* or an older copy was put in its place\. Nothing was changed\./,
    })
  },
)

it('65 damaged: the database is gone, and its witness is there', async (t) => {
  const directory = aDirectory(t)
  const path = await crashStore(directory, { pets: 1 })
  for (const ending of ['', '-wal']) rmSync(path + ending)

  await expectRefusal(directory, {
    reason: 'damaged',
    message: /is missing or empty, but \S+\.witness says that a store was there\. Put it back/,
  })
})
