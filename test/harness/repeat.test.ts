import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Unavailable, unavailable } from '../../src/db/errors.ts'
import { repeatUnavailable } from './repeat.ts'

/** Fails twice with this error, then succeeds. */
function failingTwice(error: Error) {
  let times = 0
  return {
    times: () => times,
    async work() {
      times += 1
      if (times <= 2) throw error
      return 'done'
    },
  }
}

it('work that the database says it did not do is repeated', async () => {
  for (const error of [unavailable.storing(undefined), unavailable.reading(undefined)]) {
    const { work, times } = failingTwice(error)
    assert.equal(await repeatUnavailable(work), 'done')
    assert.equal(times(), 3)
  }
})

it('work that may be stored, takes too long, or fails by a defect is not repeated', async () => {
  const tooLong = new Unavailable('Reading all matching records took too long.')
  for (const error of [unavailable.unknown(undefined), tooLong, new Error('Try again later.')]) {
    const { work, times } = failingTwice(error)
    await assert.rejects(repeatUnavailable(work), error)
    assert.equal(times(), 1)
  }
})
