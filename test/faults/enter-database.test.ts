import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { connect } from '../../src/db/sqlite/connection.ts'
import { enterDatabase, findLossUnlessEntered } from '../../src/db/sqlite/locking/lock.ts'
import { openStore } from '../../src/db/sqlite/open-store.ts'
import { aDirectory } from '../processes/command.ts'

it('no store is created where a restore or a transfer began before the lock was taken, and was killed', async (t) => {
  const path = join(aDirectory(t), 'petstore.db')
  writeFileSync(`${path}.unfinished`, '')
  const opening = { path, purpose: 'serve', connect: () => connect(path, 'create') } as const

  await assert.rejects(
    openStore(opening, () => assert.fail()),
    {
      reason: 'damaged',
      message: /^There is no store at .* yet: a restore or a transfer to it has not ended\./,
    },
  )

  assert.equal(existsSync(path), false)
})

it('one service and any commands enter a database; a second service does not', (t) => {
  const path = join(aDirectory(t), 'petstore.db')

  const command = enterDatabase(path, 'use')
  const service = enterDatabase(path, 'serve')
  const later = enterDatabase(path, 'use')
  assert.equal(findLossUnlessEntered(path), undefined)
  assert.throws(() => enterDatabase(path, 'serve'), { reason: 'alreadyServed' })
  service[Symbol.dispose]()
  const next = enterDatabase(path, 'serve')

  for (const lock of [command, later, next]) lock[Symbol.dispose]()
})
