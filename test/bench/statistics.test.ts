import assert from 'node:assert/strict'
import { it } from 'node:test'
import { rotate } from '../../bench/rounds.ts'
import { estimate } from '../../bench/statistics.ts'

it('the interval of nine values is from the second to the second last', () => {
  // Of all resamples 0.1 % have the lowest value as their median, and 3 % the lowest or the second.
  const measured = estimate([1, 2, 3, 4, 5, 6, 7, 8, 9])

  assert.deepEqual(measured, { median: 5, low: 2, high: 8 })
})

it('each round has every server once, starts with another one, and varies the order', () => {
  const servers = ['a', 'b', 'c', 'd']
  const rounds = Array.from({ length: 8 }, (_, round) => rotate(servers, round))

  for (const round of rounds) assert.deepEqual(round.toSorted(), servers)
  assert.deepEqual(new Set(rounds.map(([first]) => first)), new Set(servers))
  const beforeB = rounds.map((round) => round[round.indexOf('b') - 1])
  assert.ok(beforeB.includes('a') && beforeB.includes('c'), `before b: ${beforeB.join(', ')}`)
  assert.deepEqual(rotate([], 3), [])
})
