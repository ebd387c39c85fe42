import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { drawChart } from '../../bench/report/chart.ts'
import { resultsPage } from '../../bench/report/results-page.ts'
import { alternativesTable } from '../../bench/report/tables.ts'
import { itInFull } from '../harness/extent.ts'

const textAt = (path: string) =>
  readFileSync(new URL(`../../bench/${path}`, import.meta.url), 'utf8')

const resultsOf = (name: string) => JSON.parse(textAt(`results/${name}.json`))

// The estimates of the page take a second.
for (const [path, write, define] of [
  ['RESULTS.md', resultsPage, itInFull],
  ['chart.svg', drawChart, it],
] as const) {
  define(`bench/${path} is the output of node bench/report.ts for bench/results/`, () => {
    const page = write(resultsOf('full'), textAt('results/long-runs.md'), resultsOf('alternatives'))
    assert.equal(textAt(path), page)
  })
}

it('README.md has the table of what people would take instead', () => {
  assert.ok(textAt('../README.md').includes(alternativesTable(resultsOf('alternatives'))))
})
