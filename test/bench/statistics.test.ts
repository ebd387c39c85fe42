import assert from 'node:assert/strict'
import { it } from 'node:test'
import { rotate } from '../../bench/rounds.ts'
import { estimate, median } from '../../bench/statistics.ts'

it('the median is the middle value, or the mean of the two in the middle', () => {
  assert.equal(median([9, 1, 5]), 5)
  assert.equal(median([10, 1, 2, 3]), 2.5)
  assert.ok(Number.isNaN(median([])))
})

it('the interval holds the median, is within the values, and is the same each time', () => {
  const values = [1.02, 0.98, 1.1, 0.9, 1.01, 1, 0.99, 1.03, 0.97]

  const measured = estimate(values)

  assert.equal(measured.median, 1)
  assert.ok(measured.low >= 0.9 && measured.low < 1, `low is ${measured.low}`)
  assert.ok(measured.high <= 1.1 && measured.high > 1, `high is ${measured.high}`)
  assert.deepEqual(estimate(values), measured)
})

it('the interval of nine values is from the second to the second last', () => {
  // Of all resamples 0.1 % have the lowest value as their median, and 3 % the lowest or the second.
  const measured = estimate([1, 2, 3, 4, 5, 6, 7, 8, 9])

  assert.deepEqual(measured, { median: 5, low: 2, high: 8 })
})

it('the interval of equal values is a point; a missing value makes everything NaN', () => {
  assert.deepEqual(estimate([2, 2, 2]), { median: 2, low: 2, high: 2 })
  assert.ok(Number.isNaN(estimate([1, Number.NaN, 1]).median))
  assert.ok(Number.isNaN(estimate([]).high))
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
