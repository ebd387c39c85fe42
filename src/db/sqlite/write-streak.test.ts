import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { createWriteStreak } from './write-streak.ts'

type Streak = ReturnType<typeof createWriteStreak>

describe('a streak of writes', () => {
  let nowMs = 0

  beforeEach(() => {
    nowMs = 1_000
    mock.method(performance, 'now', () => nowMs)
  })
  afterEach(() => mock.restoreAll())

  /** Which of the writes, each so long after the one before, continue a streak. */
  async function continuing(streak: Streak, gapsMs: readonly number[]): Promise<boolean[]> {
    const answers: boolean[] = []
    for (const gapMs of gapsMs) {
      nowMs += gapMs
      answers.push(await streak.run(1, async (isStreak) => isStreak))
    }
    return answers
  }

  async function aRunningStreak(): Promise<Streak> {
    const streak = createWriteStreak(2)
    assert.equal((await continuing(streak, [5, 0.4, 0.4, 0.4, 0.4])).at(-1), true)
    return streak
  }

  it('begins with the fourth that soon follows another', async () => {
    const answers = await continuing(createWriteStreak(2), [5, 0.4, 0.4, 0.9, 0.4, 0.4])

    assert.deepEqual(answers, [false, false, false, false, true, true])
  })

  it('ends with one that comes late, and begins anew', async () => {
    const answers = await continuing(await aRunningStreak(), [1, 0.4, 0.4, 0.4, 0.4])

    assert.deepEqual(answers, [false, false, false, false, true])
  })

  it('ends with several at once', async () => {
    const streak = await aRunningStreak()

    assert.equal(await streak.run(2, async (isStreak) => isStreak), false)
    assert.deepEqual(await continuing(streak, [0.4, 0.4, 0.4, 0.4]), [false, false, false, true])
  })

  it('is none beside another write, not even one that fails', async () => {
    const streak = createWriteStreak(2)
    const { promise: held, reject } = Promise.withResolvers<never>()

    const failing = assert.rejects(streak.run(1, () => held))
    assert.deepEqual(await continuing(streak, [0.4, 0.4, 0.4, 0.4, 0.4]), Array(5).fill(false))
    reject(new Error('full'))
    await failing

    assert.deepEqual(await continuing(streak, [0.4, 0.4, 0.4, 0.4]), [false, false, false, true])
  })

  it('ends where somebody reads', async () => {
    const streak = await aRunningStreak()
    streak.end()

    assert.deepEqual(await continuing(streak, [0.4, 0.4, 0.4, 0.4]), [false, false, false, true])
  })

  /** A write that continues a streak, and whose answer takes so long. */
  async function writeFor(streak: Streak, takenMs: number) {
    nowMs += 0.4
    await streak.run(1, async (isStreak) => {
      assert.ok(isStreak)
      nowMs += takenMs
    })
  }

  /** How many writes it takes, each soon after the one before, until one continues a streak. */
  async function writesUntilNext(streak: Streak): Promise<number> {
    for (let writes = 1; ; writes++) {
      if ((await continuing(streak, [0.4])).at(-1)) return writes
    }
  }

  it('pauses after a write that was answered late, for longer where that happens again', async () => {
    const streak = await aRunningStreak()

    const pauses: number[] = []
    for (let count = 0; count < 10; count++) {
      await writeFor(streak, 2.1)
      pauses.push(await writesUntilNext(streak))
    }

    // The first of them comes late, since the one before took so long.
    const expected = [32, 64, 128, 256, 512, 1_024, 2_048, 4_096, 4_096, 4_096]
    assert.deepEqual(
      pauses,
      expected.map((pause) => 1 + pause + 4),
    )
  })

  it('pauses for a short time where it has lasted meanwhile', async () => {
    const streak = await aRunningStreak()
    for (let count = 0; count < 5; count++) {
      await writeFor(streak, 2.1)
      await writesUntilNext(streak)
    }
    await continuing(streak, Array(20).fill(0.4))

    await writeFor(streak, 2.1)
    assert.equal(await writesUntilNext(streak), 1 + 16 + 4)
  })

  it('does not pause where the answer is there in time', async () => {
    const streak = await aRunningStreak()
    await writeFor(streak, 0.5)

    assert.equal(await writesUntilNext(streak), 1)
  })

  it('does not pause where a sync takes longer than threads stay awake, but begins anew', async () => {
    const streak = await aRunningStreak()
    await writeFor(streak, 1.9)

    assert.equal(await writesUntilNext(streak), 1 + 4)
  })

  it('a pause is not ended by a read, nor by several writes at once', async () => {
    const streak = await aRunningStreak()
    await writeFor(streak, 2.1)
    streak.end()
    await streak.run(2, async () => undefined)

    assert.equal(await writesUntilNext(streak), 32 + 4)
  })

  it('is none on a single processor, where the other thread needs it', async () => {
    const answers = await continuing(createWriteStreak(1), Array(20).fill(0.4))

    assert.deepEqual(answers, Array(20).fill(false))
  })
})
