/**
 * npm run test:backup -- [--small 1000000] [--large 10000000] [--engine sqlite|postgres]
 * Backs a store up beside its service under load, and restores it elsewhere: time, memory, the growth of the log,
 * and what requests take meanwhile. Linux only. Exits with 1 where memory grows with the store.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { quantile } from '../../bench/statistics.ts'
import { fillPets } from '../harness/fill.ts'
import { type Service, settingsFor } from '../processes/process.ts'
import { type Bench, createPet, fail, onEngines, sendAtRate, serveFilled } from './measure.ts'
import { runWatched } from './run-watched.ts'

const memoryGrowthMaxMiB = 64
/** Half of them creates. */
const others = { perSecond: 320, connections: 8 }
const undisturbedMs = 30_000
const pollEveryMs = 100

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '1000000' },
    large: { type: 'string', default: '10000000' },
    engine: { type: 'string' },
  },
})

await onEngines(values.engine, ['-c', 'max_wal_size=8GB'], async (bench) => {
  const small = await measure(bench, Number(values.small))
  const large = await measure(bench, Number(values.large))
  large.forEach((peak, index) => {
    if (peak - (small[index] ?? 0) > memoryGrowthMaxMiB)
      fail(`${bench.engine}: memory grows with the store`)
  })
})

/** Prints what a store of this size takes; returns the peaks of memory. */
async function measure(bench: Bench, size: number): Promise<number[]> {
  const { engine, server } = bench
  const directory = mkdtempSync(join(bench.directory, 'backup-'))
  const file = join(directory, 'pets.backup')
  console.log(`\n${engine}: filling a store with ${size.toLocaleString('en')} pets`)
  const { service, env } = await serveFilled({ ...bench, directory }, (address) =>
    fillPets(address, size),
  )

  const before = await loaded(service, () => sleep(undisturbedMs))
  const log = server ? undefined : watchLog(String(env.PETSTORE_DATABASE).replace('sqlite:', ''))
  const during = await loaded(service, () => run(env, 'backup', file))
  const logMiB = log?.stop()
  await service.stop()
  const backup = during.result
  report(engine, size, 'backup', backup, `file ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB`)
  console.log(`requests undisturbed: ${figuresOf(before.ms)}`)
  console.log(`requests meanwhile:   ${figuresOf(during.ms)}`)
  if (logMiB !== undefined) {
    console.log(`the log grew to ${logMiB.toFixed(0)} MiB with ${during.ms.length / 2} creates`)
  }

  const target = await server?.createDatabase()
  const place = { ...settingsFor(directory), ...(target && { PETSTORE_DATABASE: target }) }
  const restore = await run(place, 'restore', file)
  report(engine, size, 'restore', restore)
  rmSync(directory, { recursive: true, force: true })
  if (server) for (const one of [place, env]) await server.dropDatabase(one.PETSTORE_DATABASE ?? '')
  return [backup.peakMiB, restore.peakMiB]
}

type Run = Awaited<ReturnType<typeof runWatched>>

async function run(env: Record<string, string>, ...args: string[]): Promise<Run> {
  const done = await runWatched([...args, '--json'], { env })
  if (done.code !== 0) fail(`${args.join(' ')} ended with ${done.code}: ${done.stderr}`)
  return done
}

function report(engine: string, size: number, what: string, run: Run, more = '') {
  const { seconds, processorSeconds, peakMiB } = run
  console.log(
    `${engine}, ${size.toLocaleString('en')} pets: ${what} ${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time, ${peakMiB.toFixed(0)} MiB${more && `, ${more}`}`,
  )
}

/** The milliseconds of each request that is sent while work runs. */
async function loaded<T>(service: Service, work: () => Promise<T>) {
  const over = new AbortController()
  const callOf = (index: number) => (index % 2 === 0 ? createPet : { path: '/pets' })
  const sending = sendAtRate(service, { ...others, signal: over.signal }, callOf)
  const result = await work()
  over.abort()
  return { result, ms: await sending }
}

function figuresOf(ms: readonly number[]): string {
  const [middle, most, last] = [0.5, 0.99, 1].map((share) => quantile(ms, share).toFixed(1))
  return `${ms.length} requests, median ${middle} ms, p99 ${most} ms, slowest ${last} ms`
}

/** The largest size of a log, in MiB. */
function watchLog(path: string) {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0)
  }, pollEveryMs)
  return {
    stop() {
      clearInterval(timer)
      return most / 2 ** 20
    },
  }
}
