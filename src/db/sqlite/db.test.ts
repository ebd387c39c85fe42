import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, mock, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { insertEnvironment } from '../../environment/queries.ts'
import { insertKey } from '../../keys/queries.ts'
import { insertPets, petsList, selectPet } from '../../pets/queries.ts'
import { statements } from '../../statements.ts'
import { inMemory } from './connection.ts'
import { openInlineSqlite, openServedSqlite } from './db.ts'

const statementsUrl = new URL('../../statements.ts', import.meta.url).href
const onLost = (reason: string) => assert.fail(reason)
const newPet = { name: 'Rex', categoryId: 7n }

function aPath(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-sqlite-'))
  t.after(() => rmSync(directory, { recursive: true }))
  return join(directory, 'pets.db')
}

it('in memory, scans and transactions that are asked for at once do not mix', async () => {
  const db = await openInlineSqlite({ path: inMemory, statements, statementsUrl, onLost })

  const [first, , second] = await Promise.all([
    db.write(insertPets, newPet),
    db.scan(petsList.count, {}),
    db.write(insertPets, newPet),
    db.scan(petsList.count, {}),
  ])

  assert.deepEqual([first.id, second.id], [1n, 2n])
  assert.equal(await db.scan(petsList.count, {}), 2)
  await db.close()
})

it('batches that are committed together are each answered with what is theirs', async (t) => {
  const db = await openServedSqlite({ path: aPath(t), statements, statementsUrl, onLost })
  const names = Array.from({ length: 500 }, (_, index) => `Rex ${index}`)

  const pets = await Promise.all(names.map((name) => db.write(insertPets, { ...newPet, name })))
  await db.close()

  assert.deepEqual(
    pets.map(({ name }) => name),
    names,
  )
  assert.deepEqual(
    pets.map(({ id }) => id),
    names.map((_, index) => BigInt(index + 1)),
  )
})

it('a start says so when somebody reads the database all the time', async (t) => {
  const path = aPath(t)
  await (await openServedSqlite({ path, statements, statementsUrl, onLost })).close()
  const other = new DatabaseSync(path)
  other.exec("insert into pets (name, category_id) values ('Rex', 7); begin")
  const writer = new DatabaseSync(path)
  other.prepare('select * from pets').all()
  writer.exec("insert into pets (name, category_id) values ('Max', 7)")

  await assert.rejects(openServedSqlite({ path, statements, statementsUrl, onLost }), {
    reason: 'alreadyServed',
    message: /in use by another process/,
  })

  other.close()
  writer.close()
  await (await openServedSqlite({ path, statements, statementsUrl, onLost })).close()
})

it('the first id is that of what clients see, not of keys', async () => {
  const firstId = 9_007_199_254_740_993n
  const db = await openInlineSqlite({ path: inMemory, statements, statementsUrl, onLost, firstId })

  const key = {
    name: 'test',
    hint: '',
    digest: new Uint8Array(32),
    scopes: [],
    createdAt: 0,
    expiresAt: undefined,
  }
  assert.equal(await db.write(insertKey, key), 1n)
  assert.equal((await db.write(insertPets, newPet)).id, firstId)
  await db.close()
})

it('a database belongs to the environment that claimed it first', async (t) => {
  const path = aPath(t)
  const db = await openServedSqlite({ path, statements, statementsUrl, onLost })

  assert.equal(await db.write(insertEnvironment, 'staging'), 'staging')
  assert.equal(await db.write(insertEnvironment, 'production'), 'staging')

  await db.close()
})

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
