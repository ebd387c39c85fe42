import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { amount } from '../../../test/harness/extent.ts'
import { systemRandom } from '../../context/context.ts'
import type { Db, Query } from '../../db/db.ts'
import { openKeyCache } from './key-cache.ts'
import { mintKey } from './key-format.ts'
import { selectKeyByDigest } from './queries.ts'

async function openCountedCache() {
  const { context } = await startApp()
  const seen = { reads: 0, running: 0, runningMax: 0 }
  const counted: typeof selectKeyByDigest = {
    ...selectKeyByDigest,
    run(...input) {
      seen.reads++
      seen.runningMax = Math.max(seen.runningMax, ++seen.running)
      return selectKeyByDigest.run(...input).finally(() => seen.running--)
    },
  }
  const read: Db['read'] = <I, O>(query: Query<I, O>, input: I) =>
    context.db.read((query as unknown) === selectKeyByDigest ? (counted as never) : query, input)
  const cache = await openKeyCache({ ...context, db: { ...context.db, read } })
  const codeOf = async () => {
    try {
      await cache.authenticate(mintKey('staging', systemRandom), {})
      return 'accepted'
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  return { cache, seen, codeOf }
}

const count = amount({ quick: 200, full: 2_000 })

it(`401: ${count} different wrong keys at once share one query of the database at a time`, async () => {
  const { cache, seen, codeOf } = await openCountedCache()

  const refused = await Promise.all(Array.from({ length: count }, codeOf))

  assert.deepEqual(new Set(refused), new Set(['invalid_api_key']))
  assert.deepEqual([seen.runningMax, seen.reads], [1, 1])
  await cache.close()
})

it('401: wrong keys one after another ask the database at most 50 times a second', async () => {
  const { cache, seen, codeOf } = await openCountedCache()
  const startMs = performance.now()

  for (let index = 0; index < 10; index++) assert.equal(await codeOf(), 'invalid_api_key')

  const tookMs = performance.now() - startMs
  // Every 20 ms; timers leave out parts of a millisecond.
  assert.ok(seen.reads <= tookMs / 19 + 1, `${seen.reads} queries in ${tookMs} ms`)
  await cache.close()
})
