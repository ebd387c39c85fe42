import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { enterDatabase, findLossUnlessEntered } from '../../src/db/sqlite/locking/lock.ts'

it('one service and any commands enter a database; a second service does not', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-lock-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'petstore.db')

  const command = enterDatabase(path, 'use')
  const service = enterDatabase(path, 'serve')
  const later = enterDatabase(path, 'use')
  assert.equal(findLossUnlessEntered(path), undefined)
  assert.throws(() => enterDatabase(path, 'serve'), { reason: 'alreadyServed' })
  service.release()
  const next = enterDatabase(path, 'serve')

  for (const lock of [command, later, next]) lock.release()
})
