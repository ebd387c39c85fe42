import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { drawChart } from '../../bench/report/chart.ts'
import { resultsPage } from '../../bench/report/results-page.ts'
import { formatResults } from '../../bench/results.ts'
import { itInFull } from '../harness/extent.ts'
import { someResults } from './some-results.ts'

const textAt = (path: string) =>
  readFileSync(new URL(`../../bench/${path}`, import.meta.url), 'utf8')

// The estimates of the page take a second.
for (const [path, write, define] of [
  ['RESULTS.md', resultsPage, itInFull],
  ['chart.svg', drawChart, it],
] as const) {
  define(`bench/${path} is the output of node bench/report.ts for bench/results/full.json`, () => {
    assert.equal(textAt(path), write(JSON.parse(textAt('results/full.json'))))
  })
}

it('a results file keeps every value, with five digits, and has a line per server', () => {
  const results = someResults()
  const text = formatResults(results)

  assert.deepEqual(JSON.parse(text), results)
  assert.ok(text.split('\n').every((line) => (line.match(/"processorUs"/g) ?? []).length !== 1))
  assert.match(formatResults({ ...results, requestsPerQuery: { a: { b: 1 / 3 } } }), /0\.33333 /)
})
