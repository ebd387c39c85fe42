/**
 * npm run test:flips -- [FLIPS] [--kills N] [--seed N]
 * Flips single bits of the log that a kill left, and of the file of a store that was stopped, so many times each. In the log
 * none may lose an acknowledged pet without a word; in the file it counts what verify finds, what is refused on reading, what
 * changes no row, and what nobody notices. Then it kills a process that writes at any moment, which must never be refused.
 */
import { parseArgs } from 'node:util'
import { flipDatabases, flipLogs } from '../harness/bit-flips.ts'
import { showProgress } from '../harness/progress.ts'
import { freshSeed, SeededRandom } from '../harness/seeded-random.ts'
import { killWriters } from '../processes/kill-writers.ts'

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, kills: { type: 'string' } },
  allowPositionals: true,
})
const flips = Number(positionals[0] ?? 10_000)
const kills = Number(values.kills ?? 1_000)
const seed = Number(values.seed ?? freshSeed())

console.log(`flips: ${flips} bits of each, ${kills} kills, --seed ${seed}`)
try {
  const log = await flipLogs({
    flips,
    random: new SeededRandom(seed),
    onFlip: (done) => showProgress(`bit ${done} of ${flips} of the log`),
  })
  console.log('flips of the log:', JSON.stringify(log))
  if (log.lost > 0) throw new Error(`${log.lost} flipped bits lost pets without a word.`)
  const database = await flipDatabases({
    flips,
    random: new SeededRandom(seed),
    onFlip: (done) => showProgress(`bit ${done} of ${flips} of the database`),
  })
  console.log('flips of the database:', JSON.stringify(database))
  const killed = await killWriters({
    kills,
    random: new SeededRandom(seed),
    onKill: (done) => showProgress(`kill ${done} of ${kills}`),
  })
  console.log('kills, none refused and nothing lost:', JSON.stringify(killed))
} catch (error) {
  console.error(`flips: FAILED with --seed ${seed}.`, error)
  process.exitCode = 1
}
