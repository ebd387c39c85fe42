import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { itInFull } from '../../../test/harness/extent.ts'
import { mockTimers } from '../../../test/harness/mock-timers.ts'
import { performance } from '../../timers.ts'
import { createBatcher } from './batcher.ts'

/** Batches that wait for a signal; each result is ten times its job. */
function heldBatches(runsMax: number) {
  const batches: number[][] = []
  const held: (() => void)[] = []
  const run = (jobs: number[]) =>
    new Promise<number[]>((resolve) => {
      batches.push(jobs)
      held.push(() => resolve(jobs.map((job) => job * 10)))
    })
  return { ...createBatcher(run, runsMax), batches, held }
}

/** One turn of the event loop that may add jobs, and one that adds none. */
async function quietTurn() {
  await turn()
  await turn()
}

describe('batcher', () => {
  let nowMs: number

  beforeEach(() => {
    nowMs = 1_000
    mock.method(performance, 'now', () => nowMs)
  })
  afterEach(() => mock.restoreAll())

  it('jobs of one turn share a batch; jobs that arrive while it runs share the next', async () => {
    const { add, idle, batches, held } = heldBatches(1)

    const answers = [1, 2].map(add)
    await quietTurn()
    answers.push(...[3, 4].map(add))
    await quietTurn()
    assert.deepEqual(batches, [[1, 2]], 'more batches than allowed were under way')
    held[0]?.()
    await quietTurn()
    await turn()
    held[1]?.()

    assert.deepEqual(await Promise.all(answers), [10, 20, 30, 40])
    assert.deepEqual(batches, [
      [1, 2],
      [3, 4],
    ])
    await idle()
  })

  it('a batch lingers for more jobs until a turn adds none', async () => {
    const { add, batches } = heldBatches(1)

    for (const job of [1, 2, 3, 4]) {
      void add(job)
      await turn()
    }
    assert.deepEqual(batches, [])
    await turn()

    assert.deepEqual(batches, [[1, 2, 3, 4]])
  })

  it('a batch lingers for three milliseconds at most, however many jobs come', async () => {
    const { add, batches } = heldBatches(1)

    for (const job of [1, 2, 3]) {
      assert.deepEqual(batches, [])
      void add(job)
      await turn()
      nowMs += 1.6
    }

    assert.deepEqual(batches, [[1, 2, 3]])
  })

  it('a full batch is flushed before the end of the turn; no more batches than allowed are in progress', async () => {
    const { add, batches, held } = heldBatches(2)

    const answers = Array.from({ length: 200 }, (_, job) => add(job))

    assert.deepEqual(
      batches.map(({ length }) => length),
      [64, 64],
    )
    held[0]?.()
    await answers[0]
    await turn()
    assert.equal(batches[2]?.length, 72, 'enough waited for more')
    for (const finish of held) finish()
    assert.deepEqual(
      await Promise.all(answers),
      Array.from({ length: 200 }, (_, job) => job * 10),
    )
  })

  it('a batch that fails, fails only its own jobs', async () => {
    let runs = 0
    const { add, idle } = createBatcher(async (jobs: string[]) => {
      runs += 1
      if (runs === 1) throw new Error('full')
      return jobs
    }, 1)

    const first = add('a')
    const failing = assert.rejects(first, /full/)
    await quietTurn()
    const second = add('b')

    await failing
    assert.equal(await second, 'b')
    await idle()
  })

  itInFull(
    'jobs beyond the maximum are refused at once, whether the others wait or run',
    async () => {
      const { add } = createBatcher(() => new Promise<never[]>(() => undefined), 2)
      // They are refused too, after the test, once they have waited too long.
      const wait = (job: number) => add(job).catch(() => undefined)
      for (let job = 0; job < 19_999; job++) void wait(job)
      await turn()
      void wait(19_999)

      await assert.rejects(add(20_000), { name: 'Unavailable' })
    },
  )

  it('jobs that have waited for ten seconds are refused and never run; later ones are run', async () => {
    mockTimers(mock, 'setTimeout')
    const { add, queue, idle, held, batches } = heldBatches(1)
    const first = add(1)
    await quietTurn()
    const second = add(2)
    nowMs += 9_999
    const third = add(3)
    mock.timers.tick(1_000)
    assert.deepEqual(queue(), { length: 3, oldestMs: 9_999 })

    nowMs += 1
    mock.timers.tick(1_000)

    await assert.rejects(second, { name: 'Unavailable' })
    assert.equal(queue().length, 2)
    held[0]?.()
    assert.equal(await first, 10)
    await quietTurn()
    held[1]?.()
    assert.equal(await third, 30)
    assert.deepEqual(batches, [[1], [3]])
    await idle()
    mock.timers.reset()
  })

  it('jobs are refused at once while a batch does not end, and taken once it has', async () => {
    const { add, held, batches } = heldBatches(1)
    const first = add(1)
    await quietTurn()
    nowMs += 10_000
    const second = add(2)
    nowMs += 1

    await assert.rejects(add(3), { name: 'Unavailable' })

    held[0]?.()
    assert.equal(await first, 10)
    await quietTurn()
    const fourth = add(4)
    held[1]?.()
    assert.equal(await second, 20)
    await quietTurn()
    held[2]?.()
    assert.equal(await fourth, 40)
    assert.deepEqual(batches, [[1], [2], [4]])
  })
})
