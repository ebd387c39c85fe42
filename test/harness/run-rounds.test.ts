import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runRounds } from './run-rounds.ts'

it('a store that is worn out is followed by another, and the counts of all are added', async () => {
  let ended = 0
  async function* onStore(_random: unknown, roundsLeft: number) {
    try {
      for (let round = 1; round <= 3; round++) yield { creates: round, roundsLeft }
    } finally {
      ended += 1
    }
  }
  const seen: object[] = []

  const summary = await runRounds({ rounds: 5, seed: 1, onRound: (one) => seen.push(one) }, onStore)

  assert.deepEqual(summary, { creates: 5, roundsLeft: 7, rounds: 5 })
  assert.deepEqual([seen.length, seen.at(-1), ended], [5, summary, 2])
})

it('no rounds are refused, as is what is no number: they would pass', async () => {
  async function* onStore() {
    yield { creates: 1 }
  }
  for (const rounds of [0, Number.NaN]) {
    await assert.rejects(runRounds({ rounds, seed: 1 }, onStore), /rounds prove nothing/)
  }
})
