import assert from 'node:assert/strict'
import { it } from 'node:test'
import { amount } from '../harness/extent.ts'
import { freshSeed } from '../harness/seeded-random.ts'
import { reasonAgainstPowerCuts } from '../processes/loop-disk.ts'
import { runPowerCuts } from '../processes/power-cuts.ts'

const rounds = amount({ quick: 1, full: 2 })
const skip = reasonAgainstPowerCuts() === undefined ? false : 'needs root and loop devices'

// `npm run test:power` makes 25 cuts, and proves that the test would detect a loss.
it('a power cut under load loses nothing that was acknowledged', {
  skip,
}, async (t) => {
  const seed = Number(process.env.POWER_SEED ?? freshSeed())
  t.diagnostic(`POWER_SEED=${seed}`)

  const summary = await runPowerCuts({ rounds, seed })

  t.diagnostic(JSON.stringify(summary))
  assert.equal(summary.rounds, rounds)
})
