import assert from 'node:assert/strict'
import { it } from 'node:test'
import { operations } from '../app/operations.ts'
import { eventTypes } from './event-types.ts'
import { scopes } from './scopes.ts'

it('the scope of every operation is one that a feature declares, and each is of some operation', () => {
  const used = new Set<string>(operations.map(({ operation }) => operation.scope))
  for (const none of ['anyKey', 'public']) used.delete(none)

  assert.deepEqual([...used].sort(), [...scopes].sort())
})

it('the scope of every type of event is one that a feature declares', () => {
  const declared = new Set<string>(scopes)
  const unknown = Object.entries(eventTypes).filter(([, { scope }]) => !declared.has(scope))

  assert.deepEqual(unknown, [])
  assert.ok(eventTypes['pet.created'])
})
