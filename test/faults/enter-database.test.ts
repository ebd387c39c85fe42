import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/db/sqlite/connection.ts'
import { enterDatabase } from '../../src/db/sqlite/locking/lock.ts'
import { openStore } from '../../src/db/sqlite/open-store.ts'
import { aDirectory, spawnCommand } from '../processes/command.ts'

it('no store is created where a restore began before the lock was taken, and was killed', async (t) => {
  const path = join(aDirectory(t), 'petstore.db')
  writeFileSync(`${path}.unfinished`, '')
  const opening = { path, purpose: 'serve', connect: () => connect(path, 'create') } as const

  await assert.rejects(
    openStore(opening, () => assert.fail()),
    {
      reason: 'damaged',
      message: /^There is no store at .* yet: a restore to it has not ended\./,
    },
  )

  assert.equal(existsSync(path), false)
})

it('a start waits for another process that checks the files', async (t) => {
  const path = join(aDirectory(t), 'petstore.db')
  const lockFile = import.meta.resolve('../../src/db/sqlite/locking/lock.ts')
  const script = `import('${lockFile}').then(({ enterDatabase }) => {
    console.log('begins')
    enterDatabase(process.argv[1], 'serve')
    console.log('has entered')
  })`
  // As during a check.
  const alone = enterDatabase(path, 'replace')
  const start = spawnCommand(t, [process.execPath, '-e', script, path])
  await start.waitFor(/begins/)
  await sleep(300)

  assert.doesNotMatch(start.written(), /has entered/)
  alone[Symbol.dispose]()

  await start.waitFor(/has entered/)
})
