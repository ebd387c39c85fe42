import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { isFull } from '../../../test/harness/extent.ts'
import { systemRandom } from '../../context/context.ts'
import type { Db } from '../../db/db.ts'
import { openKeyCache } from './key-cache.ts'
import { mintKey } from './key-format.ts'

const count = isFull ? 10_000 : 1_000

it(`401: ${count} different wrong keys at once share one query of the database at a time`, async () => {
  const { context } = await startApp()
  const keys = Array.from({ length: count }, () => mintKey('staging', systemRandom))
  let reads = 0
  let running = 0
  let runningMax = 0
  const read: Db['read'] = (...input) => {
    reads++
    runningMax = Math.max(runningMax, ++running)
    return context.db.read(...input).finally(() => running--)
  }
  const cache = await openKeyCache({ ...context, db: { ...context.db, read } })
  reads = 0

  const refused = await Promise.all(
    keys.map(async (key) => {
      try {
        await cache.authenticate(key, {})
        return 'accepted'
      } catch (error) {
        return (error as { code: string }).code
      }
    }),
  )

  assert.deepEqual(new Set(refused), new Set(['invalid_api_key']))
  assert.equal(runningMax, 1)
  assert.ok(reads >= 1 && reads <= 20, `${reads} queries`)
  await cache.close()
})
