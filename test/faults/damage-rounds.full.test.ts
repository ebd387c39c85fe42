import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runDamageRounds } from '../harness/damage-rounds.ts'
import { freshSeed } from '../harness/seeded-random.ts'

const rounds = 3

// `npm run test:damage` runs 1,000 rounds. `DAMAGE_SEED=…` repeats the damage of a run.
it('each response is a whole record or an error, whatever bytes of the file are overwritten', async (t) => {
  const seed = Number(process.env.DAMAGE_SEED ?? freshSeed())
  t.diagnostic(`DAMAGE_SEED=${seed}`)

  const summary = await runDamageRounds({ rounds, seed })

  t.diagnostic(JSON.stringify(summary))
  assert.equal(summary.rounds, rounds)
})
