/** node bench/report.ts: writes the results page, the chart and the table of README.md from bench/results/. */
import { readFileSync, writeFileSync } from 'node:fs'
import { drawChart } from './report/chart.ts'
import { resultsPage } from './report/results-page.ts'
import { alternativesTable } from './report/tables.ts'

const at = (path: string) => new URL(path, import.meta.url)
const results = JSON.parse(readFileSync(at('results/full.json'), 'utf8'))
const alternatives = JSON.parse(readFileSync(at('results/alternatives.json'), 'utf8'))
const longRuns = readFileSync(at('results/long-runs.md'), 'utf8')
writeFileSync(at('RESULTS.md'), resultsPage(results, longRuns, alternatives))
writeFileSync(at('chart.svg'), drawChart(results))
const readme = readFileSync(at('../README.md'), 'utf8')
const table = /^\| +\| first answer.*\n(?:\|.*\n)+/m
writeFileSync(at('../README.md'), readme.replace(table, `${alternativesTable(alternatives)}\n`))
