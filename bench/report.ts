/** node bench/report.ts: shows what bench/results/full.json says, in the documents and as a chart. */
import { readFileSync, writeFileSync } from 'node:fs'
import { chart, documents } from './report/documents.ts'
import { withSection } from './report/section.ts'
import { enclosed } from './report/stale.ts'
import type { Results } from './results.ts'

const at = (path: string) => new URL(`../${path}`, import.meta.url)
const results: Results = JSON.parse(readFileSync(at('bench/results/full.json'), 'utf8'))
for (const { path, place, write } of documents) {
  const text = readFileSync(at(path), 'utf8')
  writeFileSync(at(path), withSection(text, place, enclosed(place, write(results))))
}
writeFileSync(at(chart.path), chart.write(results))
console.log('The documents and the chart show what bench/results/full.json says.')
