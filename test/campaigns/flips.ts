/**
 * npm run test:flips -- [FLIPS] [--seed N]
 * Flips single bits of the log that a kill left, and of the file of a store that was stopped, so many times each. In the log
 * none may lose an acknowledged pet without a word; in the file it counts what verify finds, what is refused on reading, what
 * changes no row, and what nobody notices.
 */
import { parseArgs } from 'node:util'
import { flipDatabases, flipLogs } from '../harness/bit-flips.ts'
import { showProgress } from '../harness/progress.ts'
import { SeededRandom } from '../harness/seeded-random.ts'
import { withSeed } from './with-seed.ts'

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' } },
  allowPositionals: true,
})
const flips = Number(positionals[0] ?? 10_000)

await withSeed(`flips: ${flips} bits of each`, values.seed, async (seed) => {
  const flip = (what: string) => ({
    flips,
    random: new SeededRandom(seed),
    onFlip: (done: number) => showProgress(`bit ${done} of ${flips} of the ${what}`),
  })
  const log = await flipLogs(flip('log'))
  console.log('flips of the log:', JSON.stringify(log))
  if (log.lost > 0) throw new Error(`${log.lost} flipped bits lost pets without a word.`)
  const database = await flipDatabases(flip('database'))
  console.log('flips of the database:', JSON.stringify(database))
})
