import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, mock, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { openServedSqlite } from '../../src/db/sqlite/db.ts'
import { insertPets, petsList, selectPet } from '../../src/pets/queries.ts'
import { statements } from '../../src/statements.ts'

const statementsUrl = new URL('../../src/statements.ts', import.meta.url).href
const onLost = (reason: string) => assert.fail(reason)
const newPet = { name: 'Rex', categoryId: 7n }

function aPath(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-threads-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return join(directory, 'pets.db')
}

describe('between a write and its answer', () => {
  const hasProcessors = availableParallelism() > 1
  type Sleeper = Pick<Worker['performance'], 'eventLoopUtilization'>

  async function aServedDb(t: TestContext) {
    const workers: Worker[] = []
    const note = (worker: Worker) => workers.push(worker)
    process.on('worker', note)
    const db = await openServedSqlite({
      ...{ path: aPath(t), statements, onLost },
      statementsUrl: `data:text/javascript,performance.now = () => 0; export * from '${statementsUrl}'`,
    })
    process.off('worker', note)
    // However busy the machine is, no time lies between one write and the next; no scan comes too late by this clock.
    const nowMs = performance.now() + 600_000
    mock.method(performance, 'now', () => nowMs)
    t.after(() => db.close())
    t.after(() => mock.restoreAll())
    const write = () => db.write(insertPets, newPet)
    await inTurn(5, write)
    return { db, write, writer: (workers[0] as Worker).performance }
  }

  async function inTurn(times: number, work: () => Promise<unknown>) {
    for (let count = 0; count < times; count++) await work()
  }

  async function sleptMs({ eventLoopUtilization }: Sleeper, work: () => Promise<unknown>) {
    const before = eventLoopUtilization()
    await work()
    return eventLoopUtilization(before).idle
  }

  it('the serving thread sleeps, unless writes come one after the other and nothing is read', async (t) => {
    const { db, write } = await aServedDb(t)

    const inStreakMs = await sleptMs(performance, () => inTurn(20, write))
    assert.equal(inStreakMs > 0, !hasProcessors)
    for (const read of [() => db.read(selectPet, 1n), () => db.scan(petsList.count, {})]) {
      let betweenReadsMs = 0
      await inTurn(20, async () => {
        await read()
        betweenReadsMs += await sleptMs(performance, write)
      })
      assert.ok(betweenReadsMs > 0)
      await inTurn(4, write)
    }
    const inPairs = () => inTurn(20, () => Promise.all([write(), write()]))
    assert.ok((await sleptMs(performance, inPairs)) > 0)
  })

  it('the writer sleeps, unless writes come one after the other', async (t) => {
    const { write, writer } = await aServedDb(t)
    const inPairs = () => inTurn(5, () => sleep(5).then(() => Promise.all([write(), write()])))

    // With a single processor there is no streak, and the next write may be there before it has gone to sleep.
    assert.ok((await sleptMs(writer, () => inTurn(20, write))) === 0 || !hasProcessors)
    assert.ok((await sleptMs(writer, inPairs)) > 0)
  })
})
