import assert from 'node:assert/strict'
import { it } from 'node:test'
import { amount } from '../harness/extent.ts'
import { freshSeed } from '../harness/seeded-random.ts'
import { runKillRounds } from '../processes/kill-rounds.ts'

// The first three kill a start, the fourth does not.
const rounds = amount({ quick: 2, full: 12 })

// `npm run test:chaos` runs 500 rounds. `CHAOS_SEED=…` repeats the moments of a run.
it('kill -9 under load loses nothing that was acknowledged', async (t) => {
  const seed = Number(process.env.CHAOS_SEED ?? freshSeed())
  t.diagnostic(`CHAOS_SEED=${seed}`)

  const summary = await runKillRounds({ rounds, seed })

  t.diagnostic(JSON.stringify(summary))
  assert.equal(summary.rounds, rounds)
  assert.ok(summary.acknowledged > 0)
})
