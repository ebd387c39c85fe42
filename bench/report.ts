/** node bench/report.ts: writes the results page and the chart from bench/results/. */
import { readFileSync, writeFileSync } from 'node:fs'
import { drawChart } from './report/chart.ts'
import { resultsPage } from './report/results-page.ts'

const at = (path: string) => new URL(path, import.meta.url)
const results = JSON.parse(readFileSync(at('results/full.json'), 'utf8'))
const longRuns = readFileSync(at('results/long-runs.md'), 'utf8')
writeFileSync(at('RESULTS.md'), resultsPage(results, longRuns))
writeFileSync(at('chart.svg'), drawChart(results))
