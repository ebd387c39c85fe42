/**
 * npm run test:copies -- [--small 1000000] [--large 10000000] [--engine sqlite|postgres]
 * Backs a store up beside its service under load, restores it elsewhere, and moves it, from PostgreSQL to a file and back: time,
 * memory, the growth of the log, and what requests take meanwhile. Linux only. Exits with 1 where memory grows with the store.
 */
import { mkdtempSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillPets } from '../harness/fill.ts'
import type { Service } from '../processes/process.ts'
import {
  type Bench,
  figuresOf,
  onEngines,
  printTable,
  readsAndCreates,
  requireAtMost,
  sendAtRate,
  serveFilled,
  watchMost,
} from './measure.ts'
import { readOptions } from './options.ts'
import { runWatched } from './run-watched.ts'

const memoryGrowthMaxMiB = 64
const others = { perSecond: 320, connections: 8 }
const undisturbedMs = 30_000

const options = readOptions({ small: 1_000_000, large: 10_000_000, engine: '' })
const settings = ['shared_buffers=2GB', 'max_wal_size=8GB']

await onEngines(options.engine, settings, async (bench) => {
  const small = await measure(bench, options.small)
  const large = await measure(bench, options.large)
  for (const [command, peakMiB] of large) {
    const grownMiB = peakMiB - (small.get(command) ?? 0)
    const what = `${bench.engine}: the memory of ${command} grows with the store, MiB`
    requireAtMost(what, grownMiB, memoryGrowthMaxMiB)
  }
})

/** Prints what each command takes with a store of this size; returns the peaks of memory. */
async function measure(bench: Bench, size: number): Promise<Map<string, number>> {
  const { engine, server } = bench
  const directory = mkdtempSync(join(bench.directory, 'copies-'))
  const title = `${engine}, ${size.toLocaleString('en')} pets`
  console.log(`${title}: filling a store`)
  const { service, env, pids } = await serveFilled(bench, (address) => fillPets(address, size))
  const [, serverPid] = pids
  const peaks = new Map<string, number>()
  const rows: (string | number)[][] = [
    [title, 's', 'processor time, s', 'of the server, s', 'memory, MiB'],
  ]

  async function run(name: string, args: string[], place: Record<string, string> = {}) {
    const options = { env: place, ...(serverPid !== undefined && { serverPid }) }
    const done = await runWatched(args, options)
    if (done.code !== 0)
      throw new Error(`${args.join(' ')} ended with ${done.code}: ${done.stderr}`)
    rows.push([name, done.seconds, done.processorSeconds, done.serverSeconds, done.peakMiB])
    peaks.set(name, done.peakMiB)
    console.log(done.stderr)
  }

  const backup = join(directory, 'pets.backup')
  const before = await loaded(service, () => sleep(undisturbedMs))
  const log = `${String(env.PETSTORE_DATABASE).replace('sqlite:', '')}-wal`
  const logBytes = watchMost(() => statSync(log, { throwIfNoEntry: false })?.size ?? 0)
  const during = await loaded(service, () => run('backup', ['backup', backup], env))
  const logMiB = logBytes.stop() / 2 ** 20
  await service.stop()
  console.log(`requests undisturbed: ${figuresOf(before)}`)
  console.log(`requests beside the backup: ${figuresOf(during)}`)
  console.log(`the backup has ${(statSync(backup).size / 2 ** 20).toFixed(0)} MiB`)
  if (!server)
    console.log(`the log grew to ${logMiB.toFixed(0)} MiB with ${during.length / 2} creates`)

  const fileIn = (name: string) => `sqlite:${join(directory, name)}`
  const restored = (await server?.createDatabase()) ?? fileIn('restored.db')
  await run('restore', ['restore', backup], { PETSTORE_DATABASE: restored })
  if (server) {
    const [moved, back] = [fileIn('moved.db'), await server.createDatabase()]
    for (const [engine, from, to] of [
      ['PostgreSQL', restored, moved],
      ['SQLite', moved, back],
    ] as const) {
      const last = join(directory, `${engine}.backup`)
      await run(`backup --last, ${engine}`, ['backup', last, '--last'], { PETSTORE_DATABASE: from })
      await run(`restore of ${engine}`, ['restore', last], { PETSTORE_DATABASE: to })
    }
  }
  printTable(rows)
  return peaks
}

/** The milliseconds of each request that is sent while work runs. */
async function loaded(service: Service, work: () => Promise<void>): Promise<number[]> {
  const over = new AbortController()
  const sending = sendAtRate(service, { ...others, signal: over.signal }, readsAndCreates)
  await work()
  over.abort()
  return sending
}
