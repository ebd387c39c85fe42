/**
 * npm run bench -- [--quick] [--only WORKLOAD …] [--directory DIRECTORY]
 *   [--against DIRECTORY | --observed | --processes | --alternatives]
 * README.md explains what each measures. Exits with 0 when every goal is met; no workload is worse than `--against`; ours costs at most
 * 20 % more where it is `--observed`. Exits with 1 otherwise, and when a workload is void.
 */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { installPackages } from '../test/harness/packages.ts'
import { whenThisProcessIsGone } from '../test/processes/process.ts'
import { compareVariants, compareWithBefore, isCheapToObserve } from './compare.ts'
import { checkGoals } from './goals.ts'
import { measureAlternatives } from './harness/alternatives.ts'
import { describeVersions, fileSystemOf, findBun } from './harness/machine.ts'
import { runBenchmark } from './harness/run-benchmark.ts'
import type { Mode } from './harness/start-participants.ts'
import { compileSyncs } from './harness/syncs.ts'
import { explainMissingWrk } from './harness/wrk.ts'
import { sentencesOn } from './report/results-page.ts'
import {
  alternativesTable,
  comparisonTable,
  goalsTable,
  ownTable,
  resultsTable,
  variantsTable,
} from './report/tables.ts'
import { type Alternatives, formatResults, type Results } from './results.ts'
import { observed, twofold, workloads, workloadsOfProcesses } from './workloads.ts'

// Shorter windows would mostly measure their start: new connections and cold caches.
const full = { rounds: 17, windowMs: 750, warmUpMs: 1_500 }
const ofProcesses = { rounds: 9, windowMs: 1_000, warmUpMs: 2_000 }
const quick = { rounds: 2, windowMs: 300, warmUpMs: 0 }

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    directory: { type: 'string', default: tmpdir() },
    against: { type: 'string' },
    observed: { type: 'boolean', default: false },
    processes: { type: 'boolean', default: false },
    alternatives: { type: 'boolean', default: false },
  },
})
const isPart = values.only.length > 0
const modes: Mode[] = [
  ...(values.against === undefined ? [] : ['before' as const]),
  ...(['observed', 'processes'] as const).filter((mode) => values[mode]),
]
const problem = findProblem()
if (problem !== undefined) {
  console.error(problem)
  process.exit(64)
}
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
  if (modes.length > 1) return 'Give one of --against, --observed and --processes.'
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
  if (against === undefined) installPackages(import.meta.dirname)
  if (values.alternatives) {
    const measured = await measureAlternatives(directory, values.quick ? 1 : 5)
    const madeOn = new Date().toISOString().slice(0, 10)
    const alternatives = { madeOn, versions: describeVersions(), measured }
    if (!values.quick) keep('alternatives', alternatives)
    console.log(alternativesTable(alternatives))
    return 0
  }
  const bun = against === undefined ? findBun() : ''
  const [mode = 'contenders'] = modes
  const bench = { directory, stack, syncsLibrary: compileSyncs(directory), bun, mode, against }
  const all = values.processes ? workloadsOfProcesses : workloads
  const chosen = all.filter(({ name }) => !isPart || values.only.includes(name))
  const plan = values.processes ? ofProcesses : full
  const results = await runBenchmark(bench, chosen, values.quick ? quick : plan)
  if (mode === 'contenders' && !values.quick && !isPart) keep('full', results)
  const { tables, isGood } = outcomeOf(mode, results)
  for (const table of tables) console.log(`\n${table}`)
  console.log()
  for (const sentence of sentencesOn(results)) console.log(sentence)
  return isGood || (mode === 'contenders' && values.quick) ? 0 : 1
}

/** What is shown of a run, and whether it found what it should. */
function outcomeOf(mode: Mode, results: Results): { tables: string[]; isGood: boolean } {
  const own = ownTable(results) ?? []
  if (mode === 'before') {
    const comparisons = compareWithBefore(results)
    const isGood = comparisons.every(({ outcome }) => outcome === 'no worse')
    return { tables: [own, comparisonTable(comparisons)].flat(), isGood }
  }
  if (mode === 'observed') {
    const observations = compareVariants(results, observed)
    const table = variantsTable('with log and metrics', observations)
    return { tables: [own, table].flat(), isGood: observations.every(isCheapToObserve) }
  }
  if (mode === 'processes') {
    const table = variantsTable('of two processes', compareVariants(results, twofold))
    return { tables: [table], isGood: Object.keys(results.skips).length === 0 }
  }
  const verdicts = checkGoals(results).filter(
    ({ outcome }) => !isPart || outcome !== 'not measured',
  )
  const isGood = verdicts.every(({ outcome }) => outcome === 'met')
  return { tables: [own, resultsTable(results), goalsTable(verdicts)].flat(), isGood }
}

function keep(name: string, results: Results | Alternatives): void {
  const path = join(import.meta.dirname, `results/${name}.json`)
  writeFileSync(path, formatResults(results))
  console.log(`Written to ${path}.`)
}
