import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import type { Db } from '../../db/db.ts'
import { createCallCounter } from './count-calls.ts'
import { selectDeprecatedCalls } from './queries.ts'

const dayMs = 86_400_000

it('many calls are one write; calls that could not be stored are stored later; nothing is, where nothing was called', async () => {
  const { context } = await startApp()
  const counter = createCallCounter()
  let writes = 0
  const counting: Pick<Db, 'write'> = {
    write(...args) {
      writes += 1
      return writes === 1 ? Promise.reject(new Error('any')) : context.db.write(...args)
    },
  }
  const store = (day: number) => counter.store(counting as Db, day * dayMs + 7)
  for (let call = 0; call < 900; call++) counter.add('getPet', BigInt(1 + (call % 3)))

  await assert.rejects(store(1), /any/)
  counter.add('getPet', 3n)
  await store(1)
  await store(1)

  assert.equal(writes, 2)
  const listed = async () =>
    (await context.db.read(selectDeprecatedCalls, undefined)).map(
      ({ day, keyId, calls }) => `${day} ${keyId} ${calls}`,
    )
  assert.deepEqual(await listed(), ['1970-01-02 1 300', '1970-01-02 2 300', '1970-01-02 3 301'])
  counter.add('getPet', 2n)
  await store(402)
  assert.deepEqual(await listed(), ['1971-02-07 2 1'])
})
