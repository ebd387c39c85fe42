/**
 * npm run test:chaos -- [ROUNDS] [--seed N]
 * SIGKILLs the service at random moments, its starts included, so many times under creates and so many under orders, and
 * checks that no start is refused, nothing acknowledged is lost and no pet promised twice. Exits with 1 at the first violation.
 */
import { parseArgs } from 'node:util'
import { runOrderKillRounds } from '../consistency/orders/kill-rounds.ts'
import { showProgress } from '../harness/progress.ts'
import { runKillRounds } from '../processes/kill-rounds.ts'
import { withSeed } from './with-seed.ts'

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' } },
  allowPositionals: true,
})
const rounds = Number(positionals[0] ?? 500)

await withSeed(`chaos: ${rounds} rounds`, values.seed, async (seed) => {
  const done = await runKillRounds({
    rounds,
    seed,
    onRound: (soFar) =>
      showProgress(`round ${soFar.rounds} of ${rounds}, ${soFar.acknowledged} acknowledged`),
  })
  console.log(
    `chaos: passed. ${done.rounds} kills (${done.startKills} of them while starting), ` +
      `${done.acknowledged} creates acknowledged, ${done.unknown} of unknown outcome, none lost.`,
  )
  const sold = await runOrderKillRounds({
    rounds,
    seed,
    onRound: (soFar) =>
      showProgress(`orders, round ${soFar.rounds} of ${rounds}, ${soFar.placed} placed`),
  })
  console.log(
    `chaos: passed. ${sold.rounds} kills under orders, ${sold.placed} orders placed, ${sold.refused} refused, ` +
      `${sold.unknown} requests of unknown outcome; none lost, no pet promised twice, one effect for each key.`,
  )
})
