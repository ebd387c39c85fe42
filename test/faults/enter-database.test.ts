import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { connect } from '../../src/db/sqlite/connection.ts'
import { openStore } from '../../src/db/sqlite/open-store.ts'
import { aDirectory } from '../processes/command.ts'

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
