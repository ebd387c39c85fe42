import assert from 'node:assert/strict'
import { it } from 'node:test'
import { distance, findVoid, judge } from '../../bench/goals.ts'
import { goalsTable } from '../../bench/report/goals-table.ts'
import { lossesOf } from '../../bench/report/losses.ts'
import { someResults, windowsOf } from './some-results.ts'

const onRaw = 'same page: processor time, × raw node:http'

function verdictOf(title: string, results = someResults()) {
  const verdict = judge(results).find((entry) => entry.title === title)
  assert.ok(verdict, `there is no goal '${title}'`)
  return verdict
}

it('a goal is met when its whole interval is', () => {
  const results = someResults()

  const verdict = verdictOf(onRaw, results)

  // 20 and 20.2 of our two entries, against 16.
  assert.equal(verdict.estimate.median.toFixed(5), '1.25625')
  assert.equal(verdict.isMet, true)
  assert.equal(verdict.isStretchMet, false)
})

it('a goal is not met when its median is within the limit and its interval is not', () => {
  const results = someResults()
  const us = [20, 20, 20, 20, 20, 32, 32, 32, 32]
  results.windows['same page'] = {
    ...results.windows['same page'],
    ours: us.map((processorUs) => windowsOf({ processorUs }, 1)[0] as never),
  }

  const verdict = verdictOf(onRaw, results)

  assert.equal(verdict.estimate.median.toFixed(5), '1.25625')
  assert.equal(verdict.isMet, false)
})

it('rates are measured against the best contender of each round', () => {
  const results = someResults()
  const slow = [100, 900, 100, 900, 100, 900, 100, 900, 100]
  const fast = slow.map((perSecond) => 1_000 - perSecond)
  const contender = (rates: number[]) =>
    rates.map((perSecond) => windowsOf({ perSecond }, 1)[0] as never)
  results.windows.creates = {
    ours: windowsOf({ perSecond: 9_900 }),
    'Fastify + node:sqlite': contender(slow),
    'Express + better-sqlite3': contender(fast),
  }

  const verdict = verdictOf('creates: rate, × the best contender', results)

  assert.deepEqual(verdict.estimate, { median: 11, low: 11, high: 11 })
  assert.equal(verdict.isMet, true)
})

it('what has a dash is not met, and stands first', () => {
  const results = someResults()
  delete results.windows['same page']?.['raw node:http']

  const verdict = verdictOf(onRaw, results)

  assert.equal(verdict.isMet, false)
  assert.equal(distance(verdict), Number.POSITIVE_INFINITY)
  assert.match(
    goalsTable([verdictOf('one animal: processor time, × raw node:http'), verdict]),
    /same page.*\| not measured/,
  )
})

it('the least flattering row is the first', () => {
  const table = goalsTable(judge(someResults()))

  const rows = table.split('\n').slice(2)
  const met = rows.map((row) => !/\| (?:no|not measured) +\|$/.test(row))
  assert.deepEqual(met, met.toSorted(), 'a goal that is met stands before one that is not')
  assert.match(rows.find((row) => !row.includes('not measured')) ?? '', /memory after a long run/)
})

it('a run is void where ours against ours is not within 0.95 and 1.05, and only there', () => {
  const results = someResults()
  assert.deepEqual(findVoid(results), [])

  results.windows['same page'] = {
    ...results.windows['same page'],
    'ours again': windowsOf({ processorUs: 21.2 }),
  }

  const [reason, ...others] = findVoid(results)
  assert.match(reason ?? '', /^same page: ours against ours is 1\.060/)
  assert.deepEqual(others, [])
  const isOfSamePage = ({ title }: { title: string }) => title.startsWith('same page')
  for (const verdict of judge(results)) {
    assert.equal(verdict.isVoid, isOfSamePage(verdict), verdict.title)
    assert.equal(goalsTable([verdict]).includes('| void '), verdict.isVoid)
  }
  assert.deepEqual(
    lossesOf(results).filter((loss) => loss.startsWith('Void: ')),
    judge(results)
      .filter(isOfSamePage)
      .map(({ title }) => `Void: ${title}.`),
  )
})
