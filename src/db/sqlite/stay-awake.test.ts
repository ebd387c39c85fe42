import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createSequence, stayAwakeWhile } from './stay-awake.ts'

let nowMs = 0

beforeEach(() => {
  nowMs = 1_000
  mock.method(performance, 'now', () => nowMs)
})
afterEach(() => mock.restoreAll())

describe('a sequence of writes', () => {
  /** Which of the writes, each so long after the one before, continue a sequence. */
  function continuing(sequence: ReturnType<typeof createSequence>, gapsMs: readonly number[]) {
    return gapsMs.map((gapMs) => {
      nowMs += gapMs
      return sequence.continues(true)
    })
  }

  it('begins with the fourth in a row that soon follows another', () => {
    const answers = continuing(createSequence(2), [5, 0.4, 0.4, 0.9, 0.4, 0.4])

    assert.deepEqual(answers, [false, false, false, false, true, true])
  })

  it('ends with one that comes late, and begins anew', () => {
    const sequence = createSequence(2)
    continuing(sequence, [0.4, 0.4, 0.4, 0.4, 0.4])

    const answers = continuing(sequence, [1, 0.4, 0.4, 0.4, 0.4])
    assert.deepEqual(answers, [false, false, false, false, true])
  })

  it('ends with one that is not alone', () => {
    const sequence = createSequence(2)
    continuing(sequence, [0.4, 0.4, 0.4, 0.4, 0.4])

    assert.equal(sequence.continues(false), false)
    assert.deepEqual(continuing(sequence, [0.4, 0.4, 0.4, 0.4]), [false, false, false, true])
  })

  it('ends where somebody asks for something else', () => {
    const sequence = createSequence(2)
    continuing(sequence, [0.4, 0.4, 0.4, 0.4, 0.4])
    sequence.end()

    assert.deepEqual(continuing(sequence, [0.4, 0.4, 0.4, 0.4]), [false, false, false, true])
  })

  it('is none on a single processor, where the other thread needs it', () => {
    const gapsMs = Array.from({ length: 20 }, () => 0.4)

    assert.deepEqual(
      continuing(createSequence(1), gapsMs),
      gapsMs.map(() => false),
    )
  })
})

describe('a thread stays awake', () => {
  it('until what it awaits is there', async () => {
    let asked = 0
    stayAwakeWhile(() => ++asked < 5)
    for (let count = 0; count < 10; count++) await turn()

    assert.equal(asked, 5)
  })

  it('for a millisecond at most', async () => {
    let asked = 0
    stayAwakeWhile(() => ++asked > 0)
    await turn()
    nowMs += 1
    await turn()
    const askedByThen = asked
    for (let count = 0; count < 10; count++) await turn()

    assert.ok(askedByThen > 1)
    assert.equal(asked, askedByThen)
  })

  it('and what arrives meanwhile is served', async () => {
    let isServed = false
    stayAwakeWhile(() => true)
    setTimeout(() => {
      isServed = true
    })
    while (!isServed) await turn()

    assert.ok(isServed)
  })
})
