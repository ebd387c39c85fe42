import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runOrderKillRounds } from '../consistency/orders/kill-rounds.ts'
import { amount } from '../harness/extent.ts'
import { freshSeed } from '../harness/seeded-random.ts'

const rounds = amount({ quick: 1, full: 6 })

// `npm run test:chaos` runs many more. `CHAOS_SEED=…` repeats the moments of a run.
it('kill -9 under orders: no order is lost, no pet is promised twice, and each key has one effect', async (t) => {
  const seed = Number(process.env.CHAOS_SEED ?? freshSeed())
  t.diagnostic(`CHAOS_SEED=${seed}`)

  const summary = await runOrderKillRounds({ rounds, seed })

  t.diagnostic(JSON.stringify(summary))
  assert.equal(summary.rounds, rounds)
  assert.ok(summary.placed > 0 && summary.refused > 0)
})
