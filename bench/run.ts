/**
 * npm run bench -- [--quick] [--only WORKLOAD …] [--directory DIRECTORY]
 * Measures the pet store against others on the same work. Linux only; needs wrk. A full run takes up to
 * 30 minutes on a quiet machine, a quick one 3. Exits with 1 when a workload is void or a goal is missed.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { whenThisProcessIsGone } from '../test/support/process.ts'
import { findVoid, judge } from './goals.ts'
import { fileSystemOf } from './harness/machine.ts'
import { findBun, installContenders } from './harness/packages.ts'
import { runBenchmark } from './harness/run-benchmark.ts'
import { compileSyncs } from './harness/syncs.ts'
import { explainMissingWrk, stopWrk } from './harness/wrk.ts'
import { goalsTable } from './report/goals-table.ts'
import { workloadTables } from './report/workload-tables.ts'
import { formatResults, type Results } from './results.ts'
import { workloads } from './workloads.ts'

const full = {
  // More rounds and shorter windows would weigh what a window begins with: connections, and caches gone cold.
  plan: { rounds: 17, windowMs: 750, warmUpMs: 1_500 },
  longRun: { requests: 5_000_000, stepMs: 3_000 },
}
const quick = {
  plan: { rounds: 2, windowMs: 300, warmUpMs: 0 },
  longRun: { requests: 60_000, stepMs: 300 },
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    directory: { type: 'string', default: tmpdir() },
  },
})
const names = workloads.map(({ name }) => name as string)
const unknown = values.only.filter((name) => !names.includes(name))
// Said outright: a package that starts PostgreSQL would otherwise end every process with 0.
process.exit(await main())

async function main(): Promise<number> {
  const problem = findProblem()
  if (problem === undefined) return run()
  console.error(problem)
  return 64
}

function findProblem(): string | undefined {
  if (process.platform !== 'linux') return 'The benchmark reads /proc: it runs on Linux only.'
  if (unknown.length > 0)
    return `There is no workload ${unknown.join(', ')}: name some of ${names.join(', ')}.`
  if (!existsSync(values.directory)) return `There is no directory ${values.directory}.`
  if (/tmpfs|ramfs/.test(fileSystemOf(values.directory))) {
    return `${values.directory} is in memory, where nothing is ever synced: give --directory on a disk.`
  }
  return explainMissingWrk()
}

async function run(): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const directory = mkdtempSync(join(values.directory, 'petstore-bench-'))
  // Others end this process on a signal before it has tidied up; each server is ended likewise.
  const callOff = whenThisProcessIsGone('sleep 1; rm -rf "$1"', [directory])
  stack.defer(() => {
    rmSync(directory, { recursive: true, force: true })
    callOff()
  })
  stack.defer(stopWrk)
  let isStopping = false
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, async () => {
      isStopping = true
      await stack.disposeAsync()
      process.exit(exitCode)
    })
  }
  try {
    installContenders()
    const compiled = compileSyncs(directory)
    if ('reason' in compiled) console.log(compiled.reason)
    const bench = {
      ...{ directory, stack, bun: findBun() },
      syncsLibrary: 'library' in compiled ? compiled.library : undefined,
      say: (sentence: string) => console.log(sentence),
    }
    const isPart = values.only.length > 0
    const chosen = workloads.filter(({ name }) => !isPart || values.only.includes(name))
    const settings = values.quick ? quick : full
    const results = await runBenchmark(bench, chosen, {
      ...settings,
      isQuick: values.quick,
      isPart,
    })
    if (!isPart) keep(results)
    return print(results)
  } catch (error) {
    // What was stopped fails as it ends.
    if (isStopping) return new Promise(() => undefined)
    console.error(error)
    return 1
  }
}

/** Says what came out, and answers the exit code. */
function print(results: Results): number {
  const voids = findVoid(results)
  const verdicts = judge(results)
  console.log(`\n${workloadTables(results)}\n\n${goalsTable(verdicts)}\n`)
  for (const reason of voids) console.log(`THIS RUN IS VOID for ${reason}`)
  if (results.isQuick) {
    console.log('A quick run shows that everything works; its figures say little.')
    return 0
  }
  return voids.length === 0 && verdicts.every(({ isMet }) => isMet) ? 0 : 1
}

function keep(results: Results) {
  const path = join(import.meta.dirname, 'results', results.isQuick ? 'quick.json' : 'full.json')
  mkdirSync(join(import.meta.dirname, 'results'), { recursive: true })
  writeFileSync(path, formatResults(results))
  console.log(`Written to ${path}. node bench/report.ts shows a full run in README.md.`)
}
