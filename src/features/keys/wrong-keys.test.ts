import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { isFull } from '../../../test/harness/extent.ts'
import { systemRandom } from '../../context/context.ts'
import type { Db } from '../../db/db.ts'
import { openKeyCache } from './key-cache.ts'
import { mintKey } from './key-format.ts'

async function openCountedCache() {
  const { context } = await startApp()
  const seen = { reads: 0, running: 0, runningMax: 0 }
  const read: Db['read'] = (...input) => {
    seen.reads++
    seen.runningMax = Math.max(seen.runningMax, ++seen.running)
    return context.db.read(...input).finally(() => seen.running--)
  }
  const cache = await openKeyCache({ ...context, db: { ...context.db, read } })
  seen.reads = 0
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

const count = isFull ? 10_000 : 1_000

it(`401: ${count} different wrong keys at once share one query of the database at a time`, async () => {
  const { cache, seen, codeOf } = await openCountedCache()

  const refused = await Promise.all(Array.from({ length: count }, codeOf))

  assert.deepEqual(new Set(refused), new Set(['invalid_api_key']))
  assert.equal(seen.runningMax, 1)
  assert.ok(seen.reads >= 1 && seen.reads <= 20, `${seen.reads} queries`)
  await cache.close()
})

it('401: wrong keys one after another ask the database at most 50 times a second', async () => {
  const { cache, seen, codeOf } = await openCountedCache()
  const startMs = performance.now()

  for (let index = 0; index < 10; index++) assert.equal(await codeOf(), 'invalid_api_key')

  // The regular confirmations come on top, one in 250 ms.
  const tookMs = performance.now() - startMs
  assert.ok(seen.reads <= tookMs / 20 + tookMs / 250 + 2, `${seen.reads} queries in ${tookMs} ms`)
  await cache.close()
})
