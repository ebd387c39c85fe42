import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Query } from '../db.ts'
import { createSharedReads } from './shared-reads.ts'

const query: Query<string, string> = {
  key: (input) => input,
  run: async (_sql, inputs) => [...inputs],
}

/** Runs that wait for a signal, each with its inputs. */
function heldRuns() {
  const runs: { inputs: readonly unknown[]; finish(): void; fail(error: Error): void }[] = []
  const run = <I, O>(_query: unknown, inputs: readonly I[]): Promise<O[]> =>
    new Promise((resolve, reject) => {
      runs.push({ inputs, finish: () => resolve(inputs as unknown as O[]), fail: reject })
    })
  return { runs, run }
}

describe('shared reads', () => {
  it('equal reads of one turn share one query, different ones share the run', async () => {
    const { runs, run } = heldRuns()
    const reads = createSharedReads(run, 1)

    const answers = [reads.read(query, 'a'), reads.read(query, 'b'), reads.read(query, 'a')]
    await turn()

    assert.deepEqual(
      runs.map(({ inputs }) => inputs),
      [['a', 'b']],
    )
    runs[0]?.finish()
    assert.deepEqual(await Promise.all(answers), ['a', 'b', 'a'])
  })

  it('a read that arrives while its query runs joins the next run, never the running one', async () => {
    const { runs, run } = heldRuns()
    const reads = createSharedReads(run, 1)
    const first = reads.read(query, 'a')
    await turn()
    let isAnswered = false

    const second = reads.read(query, 'a').then(() => {
      isAnswered = true
    })
    runs[0]?.finish()
    await first
    await turn()

    assert.equal(isAnswered, false, 'answered by a run that began before it was asked')
    assert.equal(runs.length, 2)
    runs[1]?.finish()
    await second
  })

  it('the runs of one turn all start before one of them goes on, so that they can share a snapshot', async () => {
    const steps: string[] = []
    const reads = createSharedReads(async (_query, inputs) => {
      steps.push('start')
      await Promise.resolve()
      steps.push('end')
      return inputs as never[]
    }, 1)

    await Promise.all([reads.read(query, 'a'), reads.read({ ...query }, 'a')])

    assert.deepEqual(steps, ['start', 'start', 'end', 'end'])
  })

  it('no more runs at a time than allowed; waiting reads share the next', async () => {
    const { runs, run } = heldRuns()
    const reads = createSharedReads(run, 2)
    const asked: Promise<string>[] = []
    for (const input of ['a', 'b', 'c', 'd']) {
      asked.push(reads.read(query, input))
      await turn()
    }

    assert.deepEqual(
      runs.map(({ inputs }) => inputs),
      [['a'], ['b']],
    )
    runs[0]?.finish()
    await turn()
    await turn()
    assert.deepEqual(runs[2]?.inputs, ['c', 'd'])
    for (const held of runs) held.finish()
    assert.deepEqual(await Promise.all(asked), ['a', 'b', 'c', 'd'])
  })

  it('a run that fails, fails only its own reads', async () => {
    const { runs, run } = heldRuns()
    const reads = createSharedReads(run, 1)
    const first = reads.read(query, 'a')
    await turn()
    const second = reads.read(query, 'b')

    runs[0]?.fail(new Error('gone'))
    await assert.rejects(first, /gone/)
    await turn()
    runs[1]?.finish()

    assert.equal(await second, 'b')
  })
})
