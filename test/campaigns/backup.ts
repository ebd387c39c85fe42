/**
 * npm run test:backup -- [--small 1000000] [--large 10000000] [--engine sqlite|postgres]
 * Backs a store up beside its service under load, and restores it elsewhere: time, memory, the growth of the log,
 * and what requests take meanwhile. Linux only. Exits with 1 where memory grows with the store.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fillPets } from '../harness/fill.ts'
import { showProgress } from '../harness/progress.ts'
import { type Service, settingsFor } from '../processes/process.ts'
import { type Bench, fail, onEngines, runWatched, send, serveFilled } from './measure.ts'

const memoryGrowthMaxMiB = 64
const connections = 8
/** Each connection sends so many requests a second, half of them creates. */
const perSecond = 40
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

/** The milliseconds of each request that is sent while work runs, at a constant rate. */
async function loaded<T>(service: Service, work: () => Promise<T>) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const ms: number[] = []
  let isRunning = true
  const create = {
    method: 'POST',
    path: '/pets',
    body: '{"name":"Rex","categoryId":7,"status":"available"}',
  } as const
  const clients = Array.from({ length: connections }, async (_, client) => {
    for (let n = 0; isRunning; n++) {
      const startMs = performance.now()
      const call = (n + client) % 2 === 0 ? create : { path: '/pets' }
      await send(service, agent, call).catch(({ message }) => fail(message))
      ms.push(performance.now() - startMs)
      await sleep(Math.max(0, 1_000 / perSecond - (performance.now() - startMs)))
      if (client === 0 && n % perSecond === 0) showProgress(`${ms.length} requests`)
    }
  })
  const result = await work()
  isRunning = false
  await Promise.all(clients)
  agent.destroy()
  return { result, ms }
}

function figuresOf(ms: readonly number[]): string {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (part: number) => sorted.at(Math.floor((sorted.length - 1) * part)) ?? Number.NaN
  const [middle, most, last] = [at(0.5), at(0.99), at(1)].map((value) => value.toFixed(1))
  return `${sorted.length} requests, median ${middle} ms, p99 ${most} ms, slowest ${last} ms`
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
