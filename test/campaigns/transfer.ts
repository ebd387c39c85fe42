/**
 * npm run test:transfer -- [--pets 10000000] [--small 1000000] [--kills 20] [--seed N]
 * Moves a store from SQLite to PostgreSQL and back: time, processor time and memory, by step, of a small and a large one.
 * Then kills transfers at random moments and ends their sessions, and requires that at most one of the two stores is used,
 * and that the next run completes the transfer. Linux only. Exits with 1 where a copy differs or memory grows.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { differences } from '../../src/db/copying/copy-store.ts'
import { createEmptyStore } from '../harness/empty-store.ts'
import { fillOrders, fillSqlite } from '../harness/fill.ts'
import { showProgress } from '../harness/progress.ts'
import { freshSeed, SeededRandom } from '../harness/seeded-random.ts'
import { digestOf } from '../processes/kill-scenarios.ts'
import { postmasterOf, startPostgres } from '../processes/postgres.ts'
import { fail, tableOf } from './measure.ts'
import { runWatched } from './run-watched.ts'

const { values } = parseArgs({
  options: {
    pets: { type: 'string', default: '10000000' },
    small: { type: 'string', default: '1000000' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string' },
  },
})
const sizes = [Number(values.small), Number(values.pets)]
const kills = Number(values.kills)
const seed = Number(values.seed ?? freshSeed())
const random = new SeededRandom(seed)
/** What a transfer of a large store may take more than that of a small one. */
const memoryGrowthMaxMiB = 64

const directory = mkdtempSync(join(tmpdir(), 'petstore-transfers-'))
const server = await startPostgres(['-c', 'shared_buffers=2GB', '-c', 'max_wal_size=8GB'])
const postmaster = await postmasterOf(server)
try {
  const memory: number[] = []
  for (const size of sizes) memory.push(await measureBothWays(size))
  const growth = (memory[1] ?? 0) - (memory[0] ?? 0)
  if (growth > memoryGrowthMaxMiB) fail(`a transfer takes ${growth.toFixed(0)} MiB more`)
  await killOften(sizes[0] as number)
} finally {
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
// Set explicitly: the package that runs PostgreSQL would end the process with 0.
process.exit(process.exitCode ?? 0)

/** A file with this many pets, and orders. */
async function makeStore(size: number): Promise<string> {
  showProgress(`filling a store with ${size.toLocaleString('en')} pets`)
  const path = join(directory, `${size}.db`)
  await createEmptyStore(`sqlite:${path}`)
  fillSqlite(path, size)
  fillOrders(path)
  return `sqlite:${path}`
}

/** Runs `petstore transfer` to its end; `meanwhile` may end it sooner. */
function transfer(from: string, to: string, meanwhile?: (pid: number) => Promise<void>) {
  const args = ['transfer', '--from', from, '--to', to]
  return runWatched(args, { serverPid: postmaster, ...(meanwhile && { meanwhile }) })
}

/** Moves a store to PostgreSQL and back, and prints the times; returns the most memory of the two. */
async function measureBothWays(size: number): Promise<number> {
  const file = await makeStore(size)
  const database = await server.createDatabase()
  const back = `${file}-back`
  const pets = size.toLocaleString('en')
  const memory: number[] = []
  const ways = [
    ['SQLite to PostgreSQL', file, database],
    ['PostgreSQL to SQLite', database, back],
  ] as const
  const head = [`${pets} pets`, 'check, s', 'copy, s', 'compare, s', 'check the copy, s']
  const rows = [[...head, 'whole, s', 'its processor time, s', 'of the server, s', 'memory, MiB']]
  for (const [name, from, to] of ways) {
    showProgress(`${name}, ${pets} pets`)
    const run = await transfer(from, to)
    if (run.code !== 0) throw new Error(`${run.code}: ${run.stderr}`)
    const steps = [...run.stderr.matchAll(/ in (\d+\.\d) s\.$/gm)].map(([, text]) => text)
    const figures = [run.seconds, run.processorSeconds, run.serverSeconds, run.peakMiB]
    rows.push([name, ...steps.map(String), ...figures.map((figure) => figure.toFixed(0))])
    memory.push(run.peakMiB)
  }
  console.log(tableOf(rows))
  await server.dropDatabase(database)
  for (const address of [file, back]) removeStore(address)
  return Math.max(...memory)
}

function removeStore(address: string) {
  const path = address.replace('sqlite:', '')
  const names = readdirSync(directory).filter((name) => name.startsWith(basename(path)))
  for (const name of names) rmSync(join(directory, name))
}

/** Moves a store there and back again; interrupts each transfer twice before it may come to its end. */
async function killOften(size: number) {
  let from = await makeStore(size)
  const original = await digestOf(from)
  const counts = { kills: 0, cuts: 0, unmoved: 0, between: 0, moved: 0 }
  let wholeMs = 20_000
  for (let move = 1; counts.kills + counts.cuts < kills; move++) {
    const isToServer = move % 2 === 1
    const to = isToServer
      ? await server.createDatabase()
      : `sqlite:${join(directory, `move-${move}.db`)}`
    for (const _interruption of [1, 2]) {
      showProgress(`interrupted ${counts.kills + counts.cuts} times of ${kills}`)
      const afterMs = random.between(0, wholeMs)
      const isKill = random.next() < 0.6
      await transfer(from, to, (pid) => interrupt(pid, afterMs, isKill))
      counts[isKill ? 'kills' : 'cuts'] += 1
      const [isSourceUsed, isTargetUsed] = [await isUsed(from), await isUsed(to)]
      if (isSourceUsed && isTargetUsed) throw new Error(`Both ${from} and ${to} are used.`)
      counts[isSourceUsed ? 'unmoved' : isTargetUsed ? 'moved' : 'between'] += 1
    }
    if (!(await isUsed(to))) {
      const run = await transfer(from, to)
      if (run.code !== 0) throw new Error(`${run.code}: ${run.stderr}`)
      wholeMs = run.seconds * 1_000
    }
    if ((await isUsed(from)) || !(await isUsed(to))) throw new Error(`${to} is not used.`)
    const different = differences(original, await digestOf(to))
    if (different.length > 0) throw new Error(`${to} differs in ${different}.`)
    if (isToServer) removeStore(from)
    else await server.dropDatabase(from)
    from = to
  }
  console.log(
    `\n--seed ${seed}: ${counts.kills} kills and ${counts.cuts} cuts of all sessions while a store of ${size.toLocaleString('en')} pets moved. ` +
      `Afterwards ${counts.unmoved} times the source was used, ${counts.between} times neither, ${counts.moved} times the target, never both. ` +
      'The next run completed each, and no row differed.',
  )
}

/** After a random time, `kill -9` of the transfer, or the end of all sessions of the server. */
async function interrupt(pid: number, afterMs: number, isKill: boolean): Promise<void> {
  await sleep(afterMs)
  try {
    if (isKill) process.kill(pid, 'SIGKILL')
  } catch {
    // It has come to its end.
  }
  if (isKill) return
  await server.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname like $$petstore%$$',
  )
}

/** Whether a service would use what is there: a store that has an environment, and no mark of a transfer. */
async function isUsed(address: string): Promise<boolean> {
  const text = 'select name from environment where not exists (select 1 from transfer_mark)'
  if (!address.startsWith('sqlite:')) {
    const name = new URL(address).pathname.slice(1)
    const { rows } = await server.query(
      "select to_regclass('transfer_mark') is not null as found",
      name,
    )
    return rows[0].found && (await server.query(text, name)).rows.length > 0
  }
  const path = address.replace('sqlite:', '')
  if (!existsSync(path)) return false
  using database = new DatabaseSync(path)
  return database.prepare(text).all().length > 0
}
