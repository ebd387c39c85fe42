/**
 * npm run test:searches -- [--pets 120000] [--engine sqlite|postgres] [--against DIRECTORY]
 * What a search by name costs by how many pets match and where they are, and how long many who ask the same wait.
 * `--against` compares with the service of another working copy, interleaved. Linux only. Exits with 1 where a search
 * that all pets match costs more than three pages.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  fillPostgresWithNames,
  fillSqliteWithNames,
  prefixFor,
  type Spread,
} from '../harness/fill-names.ts'
import { showProgress } from '../harness/progress.ts'
import { type PostgresServer, startPostgres } from '../processes/postgres.ts'
import { repositoryRoot, type Service, settingsFor, startService } from '../processes/process.ts'
import { processorMs } from '../processes/processor-time.ts'

const rounds = 7
/** The least processor time of one measurement, and its maximum number of requests. */
const measuredMs = 100
const requestsMax = 300
const sharing = 64
const sharedMs = 3_000
const pagesMax = 3

const { values } = parseArgs({
  options: {
    pets: { type: 'string', default: '120000' },
    engine: { type: 'string' },
    against: { type: 'string' },
  },
})
const pets = Number(values.pets)
const counts = [1, 20, 100, 500, 1_500, 5_000, 10_000, 10_001, 20_000, 60_000, pets]
const spreads: readonly Spread[] = ['even', 'last']
const engines = values.engine === undefined ? ['sqlite', 'postgres'] : [values.engine]
const roots = values.against === undefined ? [repositoryRoot] : [values.against, repositoryRoot]

/** One service: the source it runs, and how its matches are spread. */
type Subject = { root: string; spread: Spread; service: Service; pids: number[] }

for (const engine of engines) await measureEngine(engine)
// Set explicitly: the package that runs PostgreSQL would end the process with 0.
process.exit(process.exitCode ?? 0)

async function measureEngine(engine: string) {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-searches-'))
  const server = engine === 'postgres' ? await startPostgres(['-c', 'autovacuum=off']) : undefined
  const subjects: Subject[] = []
  try {
    for (const spread of spreads) {
      for (const root of roots) {
        showProgress(`${engine}: filling a store, ${spread}`)
        subjects.push(
          await startSubject(join(directory, `${subjects.length}`), root, spread, server),
        )
      }
    }
    await report(engine, subjects)
  } finally {
    for (const { service } of subjects) await service.stop()
    await server?.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function startSubject(
  path: string,
  root: string,
  spread: Spread,
  server: PostgresServer | undefined,
): Promise<Subject> {
  const database = server ? await server.createDatabase() : `sqlite:${path}.db`
  const env = {
    ...settingsFor(path),
    PETSTORE_DATABASE: database,
    PETSTORE_FIRST_KEY_FILE: `${path}.key`,
  }
  // Migrated by its first start, filled while no service runs.
  await (await startService({ root, env })).stop()
  const names = { pets, counts, spread }
  if (server) await fillPostgresWithNames(database, names)
  else fillSqliteWithNames(database.replace('sqlite:', ''), names)
  const service = await startService({ root, env })
  const pids = [service.pid, ...(server ? [await postmasterOf(server)] : [])]
  return { root, spread, service, pids }
}

/** The server writes its process id into the first line of this file. */
async function postmasterOf(server: PostgresServer): Promise<number> {
  const { rows } = await server.query("select pg_read_file('postmaster.pid') as file")
  return Number.parseInt(rows[0].file, 10)
}

async function report(engine: string, subjects: readonly Subject[]) {
  const paths = [
    '/pets',
    ...[0, ...counts].map((count) => `/pets?name=${prefixFor(count, counts)}`),
  ]
  const names = ['a page', ...[0, ...counts].map((count) => count.toLocaleString('en'))]
  const costs = await measure(subjects, paths)
  const heads = subjects.map(
    ({ root, spread }) => `${spread}${root === repositoryRoot ? '' : ', before'}`,
  )
  console.log(`\nMicroseconds of processor time, the median of ${rounds} rounds\n`)
  console.log(
    `| ${engine}, pets that match | ${heads.join(' | ')} |\n|${' --- |'.repeat(heads.length + 1)}`,
  )
  for (const [row, name] of names.entries()) {
    console.log(`| ${name} | ${costs.map((column) => column[row]?.toFixed(0)).join(' | ')} |`)
  }
  const worst = costs.map((column) => Math.max(...column))
  console.log(`| the worst of them | ${worst.map((cost) => cost.toFixed(0)).join(' | ')} |`)
  for (const [index, { root }] of subjects.entries()) {
    const [page = 0] = costs[index] ?? []
    const all = costs[index]?.at(-1) ?? Number.NaN
    if (root === repositoryRoot && !(all <= pagesMax * page)) {
      console.error(
        `searches: FAILED, where all match a search costs ${(all / page).toFixed(1)} pages.`,
      )
      process.exitCode = 1
    }
  }
  console.log(
    `\n| ${engine}, ${sharing} clients ask the same | requests/s | p50, ms | not 200 |\n|${' --- |'.repeat(4)}`,
  )
  for (const [index, subject] of subjects.entries()) {
    for (const count of [pets, 10_000]) {
      const path = `/pets?name=${prefixFor(count, counts)}`
      const { rate, medianMs, failed } = await askTogether(subject, path)
      console.log(
        `| ${heads[index]}, ${count} match | ${rate.toFixed(0)} | ${medianMs.toFixed(1)} | ${failed} |`,
      )
    }
  }
}

/** For each subject the cost of each path, in microseconds. */
async function measure(
  subjects: readonly Subject[],
  paths: readonly string[],
): Promise<number[][]> {
  const all = subjects.map(() => paths.map((): number[] => []))
  for (let round = 0; round <= rounds; round++) {
    showProgress(`round ${round} of ${rounds}`)
    for (const [row, path] of paths.entries()) {
      for (const [column, subject] of subjects.entries()) {
        const cost = await costOf(subject, path)
        // Round 0 only warms up.
        if (round > 0) all[column]?.[row]?.push(cost)
      }
    }
  }
  return all.map((column) => column.map(medianOf))
}

/** Processor time of one request, that of the database server included, in microseconds. */
async function costOf({ service, pids }: Subject, path: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const before = processorMs(...pids)
  let spent = 0
  let requests = 0
  while (requests < requestsMax && (spent < measuredMs || requests < 10)) {
    for (let n = 0; n < 10; n++) await send(service, agent, path)
    requests += 10
    spent = processorMs(...pids) - before
  }
  agent.destroy()
  return (spent * 1_000) / requests
}

async function askTogether({ service }: Subject, path: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: sharing })
  const startMs = performance.now()
  const tookMs: number[] = []
  let failed = 0
  await Promise.all(
    Array.from({ length: sharing }, async () => {
      while (performance.now() < startMs + sharedMs) {
        const sentMs = performance.now()
        await send(service, agent, path).catch(() => (failed += 1))
        tookMs.push(performance.now() - sentMs)
      }
    }),
  )
  const rate = (tookMs.length * 1_000) / (performance.now() - startMs)
  agent.destroy()
  return { rate, medianMs: medianOf(tookMs), failed }
}

function send({ baseUrl, key }: Service, agent: Agent, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    const sent = request(`${baseUrl}${path}`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`))
      response.resume().once('end', resolve)
    })
    sent.once('error', reject)
    sent.end()
  })
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
