import assert from 'node:assert/strict'
import { it } from 'node:test'
import { checkGoals, findVoid } from '../../bench/goals.ts'
import { someResults, windowsOf } from './some-results.ts'

const toRaw = 'same page: processor time, relative to raw node:http'

function verdictOf(title: string, results = someResults()) {
  const verdict = checkGoals(results).find((entry) => entry.title === title)
  assert.ok(verdict, `there is no goal '${title}'`)
  return verdict
}

it('a goal is met when its whole interval is within the limit', () => {
  const verdict = verdictOf(toRaw)

  // The mean of 20 and 20.2 of our two instances, divided by 16.
  assert.equal(verdict.estimate.median.toFixed(5), '1.25625')
  assert.equal(verdict.outcome, 'met')
})

it('a goal is missed when its median is within the limit and its interval is not', () => {
  const results = someResults()
  const us = [20, 20, 20, 20, 20, 32, 32, 32, 32]
  results.windows['same page'] = {
    ...results.windows['same page'],
    ours: us.flatMap((processorUs) => windowsOf({ processorUs }, 1)),
  }

  const verdict = verdictOf(toRaw, results)

  assert.equal(verdict.estimate.median.toFixed(5), '1.25625')
  assert.equal(verdict.outcome, 'missed')
})

it('rates are relative to the best contender of each round', () => {
  const results = someResults()
  const slow = [100, 900, 100, 900, 100, 900, 100, 900, 100]
  const fast = slow.map((perSecond) => 1_000 - perSecond)
  const contender = (rates: number[]) => rates.flatMap((perSecond) => windowsOf({ perSecond }, 1))
  results.windows.creates = {
    ours: windowsOf({ perSecond: 9_900 }),
    'Fastify + node:sqlite': contender(slow),
    'Express + better-sqlite3': contender(fast),
  }

  const verdict = verdictOf('creates: rate, relative to the best contender', results)

  assert.deepEqual(verdict.estimate, { median: 11, low: 11, high: 11 })
  assert.equal(verdict.outcome, 'met')
})

it('a workload is void when our second instance is not within 0.95 and 1.05 of the first', () => {
  const results = someResults()
  assert.deepEqual([...findVoid(results)], [])

  results.windows['same page'] = {
    ...results.windows['same page'],
    'ours again': windowsOf({ processorUs: 21.2 }),
  }

  assert.deepEqual([...findVoid(results).keys()], ['same page'])
  for (const { title, outcome } of checkGoals(results)) {
    assert.equal(outcome === 'void', title.startsWith('same page'), title)
  }
})
