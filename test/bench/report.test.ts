import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { drawChart } from '../../bench/report/chart.ts'
import { resultsPage } from '../../bench/report/results-page.ts'
import { itInFull } from '../harness/extent.ts'

const textAt = (path: string) =>
  readFileSync(new URL(`../../bench/${path}`, import.meta.url), 'utf8')

// The estimates of the page take a second.
for (const [path, write, define] of [
  ['RESULTS.md', resultsPage, itInFull],
  ['chart.svg', drawChart, it],
] as const) {
  define(`bench/${path} is the output of node bench/report.ts for bench/results/`, () => {
    const page = write(JSON.parse(textAt('results/full.json')), textAt('results/long-runs.md'))
    assert.equal(textAt(path), page)
  })
}
