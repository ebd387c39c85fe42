import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { mockTimers } from '../../../test/harness/mock-timers.ts'
import { petsList } from '../../features/pets/queries.ts'
import type { Scan } from '../db.ts'
import { createSharedScans } from './shared-scans.ts'

const scanOf = (name: string): Scan<string, string> => ({
  name,
  key: (input) => input,
  run: async (_sql, input) => input,
})
const scan = scanOf('count')

/** Runs that wait for a signal, each with its input. */
function heldRuns() {
  const runs: { input: unknown; finish(): void; fail(error: Error): void }[] = []
  const run = (_scan: unknown, input: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      runs.push({ input, finish: () => resolve(`${input} of run ${runs.length}`), fail: reject })
    })
  return { runs, run, inputs: () => runs.map(({ input }) => input) }
}

describe('shared scans', () => {
  it('a scan that arrives while an equal one runs shares the next run, never the running one', async () => {
    const { runs, run, inputs } = heldRuns()
    const scans = createSharedScans(run, 1)

    const first = scans.scan(scan, 'a')
    const others = [scans.scan(scan, 'a'), scans.scan(scan, 'a')]
    runs[0]?.finish()

    assert.equal(await first, 'a of run 1')
    await turn()
    assert.deepEqual(inputs(), ['a', 'a'])
    const late = scans.scan(scan, 'a')
    runs[1]?.finish()
    assert.deepEqual(await Promise.all(others), ['a of run 2', 'a of run 2'])
    await turn()
    runs[2]?.finish()
    assert.equal(await late, 'a of run 3')
    assert.equal(runs.length, 3)
  })

  it('different scans run in the order of arrival, and one kind does not wait for another', async () => {
    const { runs, run, inputs } = heldRuns()
    const scans = createSharedScans(run, 1)

    const asked = ['a', 'b', 'a', 'c', 'b'].map((input) => scans.scan(scan, input))
    const other = scans.scan(scanOf('search'), 'd')

    assert.deepEqual(inputs(), ['a', 'd'])
    for (let index = 0; index < 5; index++) {
      runs[index]?.finish()
      await turn()
    }
    await Promise.all([...asked, other])
    assert.deepEqual(inputs(), ['a', 'd', 'b', 'a', 'c'])
  })

  it('a run that fails, fails only the scans that share it', async () => {
    const { runs, run } = heldRuns()
    const scans = createSharedScans(run, 1)
    const first = scans.scan(scan, 'a')
    const second = scans.scan(scan, 'a')

    runs[0]?.fail(new Error('gone'))
    await assert.rejects(first, /gone/)
    await turn()
    runs[1]?.finish()

    assert.equal(await second, 'a of run 2')
  })

  it('unavailable: a scan that has waited too long is refused, and the next equal one is not', async (t) => {
    mockTimers(t.mock, 'setTimeout')
    const { runs, run, inputs } = heldRuns()
    const scans = createSharedScans(run, 1)
    const first = scans.scan(scan, 'a')
    const refused = [scans.scan(scan, 'b'), scans.scan(scan, 'b')]

    t.mock.timers.tick(1_500)

    for (const one of refused) await assert.rejects(one, { name: 'Unavailable' })
    const next = scans.scan(scan, 'b')
    runs[0]?.finish()
    await first
    await turn()
    runs[1]?.finish()
    assert.equal(await next, 'b of run 2')
    assert.deepEqual(inputs(), ['a', 'b'])
  })

  it('a scan that joins a waiting one waits as long as any other, and its run is not given up', async (t) => {
    mockTimers(t.mock, 'setTimeout')
    const { runs, run, inputs } = heldRuns()
    const scans = createSharedScans(run, 1)
    const first = scans.scan(scan, 'a')
    const early = scans.scan(scan, 'b')
    t.mock.timers.tick(1_000)
    const late = scans.scan(scan, 'b')

    t.mock.timers.tick(500)

    await assert.rejects(early, { name: 'Unavailable' })
    t.mock.timers.tick(999)
    runs[0]?.finish()
    await first
    await turn()
    t.mock.timers.tick(1_500)
    runs[1]?.finish()
    assert.equal(await late, 'b of run 2')
    assert.deepEqual(inputs(), ['a', 'b'])
  })

  it('a scan without a key is not shared', async () => {
    const { runs, run } = heldRuns()
    const { key: _, ...unshared } = scan
    const scans = createSharedScans(run, 2)

    const asked = [scans.scan(unshared, 'a'), scans.scan(unshared, 'a')]

    assert.equal(runs.length, 2)
    for (const { finish } of runs) finish()
    await Promise.all(asked)
  })
})

it('searches and counts share a run when all of their inputs are equal, and only then', () => {
  const page = { limit: 20, sort: 'id', after: undefined } as const
  const filters = [
    {},
    { name: 'x' },
    { name: 'x', status: 'sold' },
    { name: 'x', categoryId: 1n },
    { name: 'x" status=sold' },
    { name: 'x status=sold' },
    { name: 'status=sold' },
    { status: 'sold' },
    { name: 'x', id: [1n, 2n] },
    { name: 'x', id: [12n] },
  ] as const
  const inputs = filters.flatMap((filter) => [
    { filter, page },
    { filter, page: { ...page, limit: 21 } },
    { filter, page: { ...page, sort: '-id' as const } },
    { filter, page: { ...page, after: 2n } },
  ])

  for (const { key } of [petsList.search, petsList.probe]) {
    assert.equal(new Set(inputs.map((input) => key?.(input as never))).size, inputs.length)
    assert.equal(key?.(inputs[4] as never), key?.(structuredClone(inputs[4]) as never))
  }
  const counted = new Set(filters.map((filter) => petsList.count.key?.(filter as never)))
  assert.equal(counted.size, filters.length)
})
