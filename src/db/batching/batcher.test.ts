import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createBatcher } from './batcher.ts'

/** Batches that are held until they are let go: each answers ten times its jobs. */
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

/** One turn that may bring work, and one that brings none. */
async function quietTurn() {
  await turn()
  await turn()
}

describe('batches', () => {
  let nowMs: number

  beforeEach(() => {
    nowMs = 1_000
    mock.method(performance, 'now', () => nowMs)
  })
  afterEach(() => mock.restoreAll())

  it('work of one turn travels together, and what arrives while it does in the next', async () => {
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

  it('work waits for more, until a turn brings none', async () => {
    const { add, batches } = heldBatches(1)

    for (const job of [1, 2, 3, 4]) {
      void add(job)
      await turn()
    }
    assert.deepEqual(batches, [])
    await turn()

    assert.deepEqual(batches, [[1, 2, 3, 4]])
  })

  it('each batch waits anew', async () => {
    const { add, batches } = heldBatches(2)

    void add(1)
    await quietTurn()
    nowMs += 5
    for (const job of [2, 3]) {
      void add(job)
      await turn()
    }
    assert.deepEqual(batches, [[1]])
    await turn()

    assert.deepEqual(batches, [[1], [2, 3]])
  })

  it('work does not wait for more than three milliseconds, however much comes', async () => {
    const { add, batches } = heldBatches(1)

    for (const job of [1, 2, 3]) {
      assert.deepEqual(batches, [])
      void add(job)
      await turn()
      nowMs += 1.6
    }

    assert.deepEqual(batches, [[1, 2, 3]])
  })

  it('work leaves with its turn where that has taken long already', async () => {
    const { add, batches } = heldBatches(1)

    void add(1)
    nowMs += 3
    await turn()

    assert.deepEqual(batches, [[1]])
  })

  it('where more than one may be under way, later work does not wait for them', async () => {
    const { add, batches, held } = heldBatches(2)

    const answers = [add(1)]
    await quietTurn()
    answers.push(add(2))
    await quietTurn()
    answers.push(add(3))
    await quietTurn()
    assert.deepEqual(batches, [[1], [2]])

    held[1]?.()
    assert.equal(await answers[1], 20)
    await quietTurn()
    held[0]?.()
    held[2]?.()
    assert.deepEqual(await Promise.all(answers), [10, 20, 30])
  })

  it('so much leaves before the end of the turn; no more batches than allowed do', async () => {
    const { add, batches, held } = heldBatches(2)

    const answers = Array.from({ length: 100 }, (_, job) => add(job))

    assert.deepEqual(
      batches.map(({ length }) => length),
      [32, 32],
    )
    held[0]?.()
    await answers[0]
    await turn()
    assert.equal(batches[2]?.length, 36, 'enough waited for more')
    for (const finish of held) finish()
    assert.deepEqual(
      await Promise.all(answers),
      Array.from({ length: 100 }, (_, job) => job * 10),
    )
  })

  it('is idle only once all is answered', async () => {
    const { add, idle, held } = heldBatches(1)
    let isIdle = false

    const answers = [add(1)]
    await quietTurn()
    answers.push(add(2))
    const resting = idle().then(() => {
      isIdle = true
    })
    held[0]?.()
    await quietTurn()
    await turn()
    assert.equal(isIdle, false, 'a batch is under way')
    held[1]?.()
    await Promise.all([...answers, resting])
  })

  it('a batch that fails fails its own jobs alone', async () => {
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

  it('too much that is not answered is refused at once, not kept, wherever it waits', async () => {
    const { add } = createBatcher(() => new Promise<never[]>(() => undefined), 2)
    for (let job = 0; job < 19_999; job++) void add(job)
    await turn()
    void add(19_999)

    await assert.rejects(add(20_000), { name: 'Unavailable' })
  })
})
