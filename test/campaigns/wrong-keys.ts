/**
 * npm run test:wrong-keys -- [--rate 10000] [--engine sqlite|postgres]
 * The latency of requests with a good key, alone and beside this many requests a second that each have another wrong key,
 * interleaved over rounds. Exits with 1 where the p99 more than doubles, or where a response to a wrong key is not a 401.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillPets } from '../harness/fill.ts'
import { processorMs } from '../processes/processor-time.ts'
import {
  type Bench,
  compareBeside,
  fail,
  onEngines,
  p99Of,
  printTable,
  type Subject,
  serveFilled,
  startBeside,
} from './measure.ts'
import { readOptions } from './options.ts'

const rounds = 5
const seconds = 6

const { rate, engine } = readOptions({ rate: 10_000, engine: '' })

await onEngines(engine, [], async (bench) => {
  const store = await serveFilled(bench, (address) => fillPets(address, 10_000), {
    // The log has a line for each request, as by default; it goes to a file.
    env: { PETSTORE_ACCESS_LOG: 'on', LOG: join(bench.directory, 'log') },
    wrapper: ['sh', '-c', 'exec "$0" "$@" 2>"$LOG"'],
  })
  const answered = { sent: 0, refused: 0, others: 0 }
  let costMs = 0
  let queries = 0
  await p99Of(store, seconds)
  const compared = await compareBeside(
    `${bench.engine}: the p99`,
    { rounds, ratioMax: 2 },
    {
      alone: () => p99Of(store, seconds),
      async beside() {
        const before = await keyQueries(bench, store)
        const flooding = flood(store)
        const p99 = await p99Of(store, seconds)
        const { sent, refused, others } = await flooding
        // Without others, for what one of them costs.
        const beforeMs = processorMs(...store.pids)
        const only = await flood(store)
        costMs += (processorMs(...store.pids) - beforeMs) / only.refused
        queries += (await keyQueries(bench, store)) - before
        answered.sent += sent
        answered.refused += refused
        answered.others += others + only.others
        return p99
      },
    },
  )
  if (answered.refused === 0 || answered.others > 0)
    fail(`${bench.engine}: ${answered.refused} times 401, ${answered.others} times another status`)
  const perSecond = (count: number) => count / rounds / seconds
  printTable([
    [bench.engine, 'alone', 'beside wrong keys'],
    ['p99 of others, median of the rounds, ms', compared.alone, compared.beside],
    ['median ratio', '', compared.ratio],
    ['processor time of a wrong key, µs', '', (costMs * 1_000) / rounds],
    ['wrong keys sent a second', '', perSecond(answered.sent)],
    ['wrong keys refused a second, beside others', '', perSecond(answered.refused)],
    ['reads of the keys a second', '', bench.server ? perSecond(queries / 2) : 'not counted'],
  ])
})

/** Sends wrong keys. */
function flood({ service }: Subject): Promise<{ sent: number; refused: number; others: number }> {
  const { port } = new URL(service.baseUrl)
  return startBeside('send-wrong-keys.ts', [port, rate, seconds]).next()
}

/** How often PostgreSQL has read the revision of the keys. */
async function keyQueries({ server }: Bench, { env }: Subject): Promise<number> {
  if (!server) return 0
  // A session reports what it read within a second.
  await sleep(1_500)
  const { rows } = await server.query(
    "select seq_scan + coalesce(idx_scan, 0) as scans from pg_stat_user_tables where relname = 'keys_revision'",
    new URL(env.PETSTORE_DATABASE ?? '').pathname.slice(1),
  )
  return Number(rows[0]?.scans)
}
