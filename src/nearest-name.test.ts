import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { nearestName } from './nearest-name.ts'

const known = ['limit', 'cursor', 'after', 'sort', 'status', 'categoryId', 'id', 'name']

it('finds the name that was meant, and none where none is near', () => {
  const cases: [string, string | undefined][] = [
    ['stats', 'status'],
    ['staus', 'status'],
    ['Status', 'status'],
    ['nmae', 'name'],
    ['category_id', 'categoryId'],
    ['category', 'categoryId'],
    ['cat', 'categoryId'],
    ['ids', 'id'],
    ['page', undefined],
    ['offset', undefined],
    ['q', undefined],
    ['', undefined],
    ['_', undefined],
    ['__proto__', undefined],
  ]
  for (const [name, nearest] of cases) assert.equal(nearestName(name, known), nearest, name)
})

it('finds a name after one typo, whatever it is', () => {
  const typo = fc.record({
    name: fc.constantFrom('limit', 'cursor', 'status', 'categoryId'),
    at: fc.nat({ max: 3 }),
    kind: fc.constantFrom('missing', 'doubled', 'replaced', 'swapped', 'upper'),
  })
  fc.assert(
    fc.property(typo, ({ name, at, kind }) => {
      const [before, one = '', next = '', after] = [
        name.slice(0, at),
        name[at],
        name[at + 1],
        name.slice(at + 2),
      ]
      const mistyped = {
        missing: before + next + after,
        doubled: before + one + one + next + after,
        replaced: `${before}x${next}${after}`,
        swapped: before + next + one + after,
        upper: before + one.toUpperCase() + next + after,
      }[kind]
      assert.equal(nearestName(mistyped, known), name, mistyped)
    }),
  )
})

it('compares no name that is longer than any of ours', () => {
  assert.equal(nearestName(`status${'s'.repeat(100_000)}`, ['status']), undefined)
})
