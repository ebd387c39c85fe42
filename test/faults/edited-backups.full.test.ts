import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aBackedUpStore } from '../harness/backed-up-store.ts'
import { runEditedBackups } from '../harness/edited-backup-rounds.ts'
import { amount } from '../harness/extent.ts'
import { freshSeed } from '../harness/seeded-random.ts'

it('an edited backup is refused, or what is restored of it is whole', async (t) => {
  const { file } = await aBackedUpStore(t)
  const [rounds, seed] = [amount({ quick: 40, full: 400 }), freshSeed()]
  t.diagnostic(`seed ${seed}`)

  const summary = await runEditedBackups({ backup: file, rounds, seed })

  assert.equal(summary.rounds, rounds)
  assert.ok(summary['restored refused'] > 0)
})
