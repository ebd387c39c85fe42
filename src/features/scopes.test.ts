import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '../app/operations.ts'
import { scopes } from './scopes.ts'

it('the scope of every operation is one that a feature declares, and each is of some operation', () => {
  const used = new Set<string>(operations.map(({ operation }) => operation.scope))
  for (const none of ['anyKey', 'public']) used.delete(none)

  assert.deepEqual([...used].sort(), [...scopes].sort())
})
