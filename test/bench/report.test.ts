import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { drawChart } from '../../bench/report/chart.ts'
import { resultsPage } from '../../bench/report/results-page.ts'
import { formatResults } from '../../bench/results.ts'
import { someResults, windowsOf } from './some-results.ts'

const textAt = (path: string) =>
  readFileSync(new URL(`../../bench/${path}`, import.meta.url), 'utf8')

for (const [path, write] of [
  ['RESULTS.md', resultsPage],
  ['chart.svg', drawChart],
] as const) {
  it(`bench/${path} is the output of node bench/report.ts for bench/results/full.json`, () => {
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

it('the page has remarks, void workloads and skipped servers; values better than ours are bold', () => {
  const results = { ...someResults(), remarks: ['Measured before a change.'] }
  const { 'same page': samePage } = results.windows
  if (samePage) samePage['ours again'] = windowsOf({ processorUs: 22 })

  const page = resultsPage(results)

  assert.match(page, /^- Measured before a change\.$/m)
  assert.match(page, /^- Void: same page\. Ours again is 1\.100 × ours/m)
  assert.match(page, /^- Skipped: one pet, Fastify \+ node:sqlite: it does not answer\.$/m)
  assert.match(page, /^\| same page \(void\) +\| 16 +\| 21 : 80 .* 15\.2 +\|$/m)
  assert.match(page, /^\| one pet +\| 16 +\| \*\*24 : 21\*\* /m)
  assert.doesNotMatch(page, /NaN|undefined/)
})

it('the chart starts with our slowest workload, marks void ones, and escapes names', () => {
  const results = someResults()
  const { 'same page': samePage } = results.windows
  if (samePage) samePage['ours again'] = windowsOf({ processorUs: 22 })

  const svg = drawChart(results)

  assert.ok(svg.indexOf('>one pet<') < svg.indexOf('>same page (void)<'))
  assert.ok(svg.includes('>one pet<'))
  assert.ok(svg.includes('a &lt;fast> one'))
  assert.ok(!svg.includes('ours again'))
})
