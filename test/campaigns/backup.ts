/**
 * npm run test:backup -- [--small 1000000] [--large 10000000] [--engine sqlite|postgres]
 * Backs a store up beside its service under load, and restores it elsewhere: time, memory, the growth of the log,
 * and what requests take meanwhile. Linux only. Exits with 1 where memory grows with the store.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { environmentWith } from '../../src/config/config.ts'
import { fillPostgres, fillSqlite } from '../harness/fill.ts'
import { showProgress } from '../harness/progress.ts'
import { executable } from '../processes/command.ts'
import { startPostgres } from '../processes/postgres.ts'
import {
  type Service,
  settingsFor,
  startService,
  whenThisProcessIsGone,
} from '../processes/process.ts'
import { memoryMiB, processorMs } from '../processes/processor-time.ts'

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
const sizes = [Number(values.small), Number(values.large)]
const engines = values.engine === undefined ? ['sqlite', 'postgres'] : [values.engine]
type Env = Record<string, string>

for (const engine of engines) await measureEngine(engine)
process.exit(process.exitCode ?? 0)

async function measureEngine(engine: string) {
  const server = engine === 'postgres' ? await startPostgres(['-c', 'max_wal_size=8GB']) : undefined
  try {
    const peaks: number[][] = []
    for (const size of sizes) {
      const directory = mkdtempSync(join(tmpdir(), 'petstore-backups-'))
      const database = server ? await server.createDatabase() : undefined
      const target = server ? await server.createDatabase() : undefined
      peaks.push(await measure(engine, size, directory, { database, target }))
      rmSync(directory, { recursive: true, force: true })
      if (database) await server?.dropDatabase(database)
      if (target) await server?.dropDatabase(target)
    }
    const [small = [], large = []] = peaks
    large.forEach((peak, index) => {
      if (peak - (small[index] ?? 0) > memoryGrowthMaxMiB)
        fail(`${engine}: memory grows with the store`)
    })
  } finally {
    await server?.stop()
  }
}

type Places = { database: string | undefined; target: string | undefined }

/** Prints what a store of this size takes; returns the peaks of memory. */
async function measure(
  engine: string,
  size: number,
  directory: string,
  { database, target }: Places,
): Promise<number[]> {
  const env = { ...settingsFor(directory), ...(database ? { PETSTORE_DATABASE: database } : {}) }
  const path = join(directory, 'petstore.db')
  const file = join(directory, 'pets.backup')
  console.log(`\n${engine}: filling a store with ${size.toLocaleString('en')} pets`)
  await (await startService({ env })).stop()
  await (database ? fillPostgres(database, size) : fillSqlite(path, size))

  const service = await startService({ env })
  const before = await loaded(service, () => sleep(undisturbedMs))
  const log = database ? undefined : watchLog(path)
  const during = await loaded(service, () => run(env, 'backup', file))
  const logMiB = log?.stop()
  await service.stop()
  const backup = during.result
  report(engine, size, 'backup', backup, `file ${mebibytes(file)} MiB`)
  console.log(`requests undisturbed: ${figuresOf(before.ms)}`)
  console.log(`requests meanwhile:   ${figuresOf(during.ms)}`)
  if (logMiB !== undefined) {
    console.log(`the log grew to ${logMiB.toFixed(0)} MiB with ${during.ms.length / 2} creates`)
  }

  const place = {
    ...settingsFor(join(directory)),
    PETSTORE_DATABASE: target ?? `sqlite:${join(directory, 'restored.db')}`,
  }
  const restore = await run(place, 'restore', file)
  report(engine, size, 'restore', restore)
  return [backup.peakMiB, restore.peakMiB]
}

type Run = { seconds: number; processorSeconds: number; peakMiB: number }

/** Runs a command to its end. */
async function run(env: Env, ...args: string[]): Promise<Run> {
  const startMs = performance.now()
  const [file, ...rest] = executable(...args, '--json')
  const child = spawn(file, rest, {
    env: environmentWith(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  whenThisProcessIsGone('kill -9 "$1"', [String(child.pid)], child)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'close')
  let [peakMiB, spentMs] = [0, 0]
  while (child.exitCode === null && child.signalCode === null) {
    try {
      peakMiB = Math.max(peakMiB, memoryMiB(child.pid ?? 0))
      spentMs = Math.max(spentMs, processorMs(child.pid ?? 0))
    } catch {
      // It has ended.
    }
    await Promise.race([ended, sleep(pollEveryMs)])
  }
  const [code, signal] = await ended
  if (code !== 0) fail(`${args.join(' ')} ended with ${code ?? signal}: ${stderr}`)
  return {
    seconds: (performance.now() - startMs) / 1_000,
    processorSeconds: spentMs / 1_000,
    peakMiB,
  }
}

function report(
  engine: string,
  size: number,
  what: string,
  { seconds, processorSeconds, peakMiB }: Run,
  more = '',
) {
  console.log(
    `${engine}, ${size.toLocaleString('en')} pets: ${what} ${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time, ${peakMiB.toFixed(0)} MiB${more && `, ${more}`}`,
  )
}

/** The milliseconds of each request that is sent while work runs, at a constant rate. */
async function loaded<T>(service: Service, work: () => Promise<T>) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const ms: number[] = []
  let isRunning = true
  const clients = Array.from({ length: connections }, async (_, client) => {
    for (let n = 0; isRunning; n++) {
      const startMs = performance.now()
      await send(service, agent, (n + client) % 2 === 0)
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

function send({ baseUrl, key }: Service, agent: Agent, isCreate: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = {
      agent,
      method: isCreate ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        ...(isCreate ? { 'content-type': 'application/json' } : {}),
      },
    }
    const sent = request(`${baseUrl}/pets`, options, (response) => {
      const isRight = response.statusCode === (isCreate ? 201 : 200)
      if (!isRight) fail(`a request got ${response.statusCode}`)
      response.resume().once('end', resolve)
    })
    sent.once('error', reject)
    sent.end(isCreate ? '{"name":"Rex","categoryId":7,"status":"available"}' : undefined)
  })
}

function figuresOf(ms: readonly number[]): string {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  const [median, most, last] = [at(0.5), at(0.99), at(1)].map((value) => value.toFixed(1))
  return `${sorted.length} requests, median ${median} ms, p99 ${most} ms, slowest ${last} ms`
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

function mebibytes(file: string): string {
  return (statSync(file).size / 2 ** 20).toFixed(0)
}

function fail(sentence: string) {
  console.error(`backup: FAILED, ${sentence}.`)
  process.exitCode = 1
}
