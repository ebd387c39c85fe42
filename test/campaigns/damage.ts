/**
 * npm run test:damage -- [ROUNDS] [--seed N]
 * Overwrites random bytes of a store's file and serves it, and requires that each response is a whole record or
 * an error. Exits with 1 at the first that is neither.
 */
import { parseArgs } from 'node:util'
import { runDamageRounds } from '../harness/damage-rounds.ts'
import { showProgress } from '../harness/progress.ts'
import { freshSeed } from '../harness/seeded-random.ts'

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' } },
  allowPositionals: true,
})
const rounds = Number(positionals[0] ?? 1_000)
const seed = Number(values.seed ?? freshSeed())

console.log(`damage: ${rounds} rounds, --seed ${seed}`)
try {
  const done = await runDamageRounds({
    rounds,
    seed,
    onRound: (soFar) => showProgress(`round ${soFar.rounds} of ${rounds}, ${soFar.errors} errors`),
  })
  console.log(
    `damage: passed. ${done.rounds} damaged files, ${done.refusedStarts} of them refused at the start; ` +
      `${done.answers} answers, ${done.errors} of them 500 or 503, none a record that is not whole.`,
  )
} catch (error) {
  console.error(`damage: FAILED with --seed ${seed}.`, error)
  process.exitCode = 1
}
