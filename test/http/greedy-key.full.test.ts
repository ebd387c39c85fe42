import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { operations } from '../../src/app/operations.ts'
import { isOnPostgres } from '../harness/engine.ts'
import type { RawConnection } from '../harness/raw-http.ts'
import { requestOf } from './every-operation.ts'
import { startListening } from './start-listening.ts'

/** Of each operation. */
const atOnce = 100
const probes = 20
/** `npm run test:overload` measures 250 ms and a second. Here one thread sends, serves and measures. */
const healthMaxMs = 5_000
const pageMaxMs = 6_000

it('200: one key sends every operation there is, with the worst bodies, and reads nothing: health and other keys are served', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-greedy-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const { key, issueKey, open, exchange, get, api } = await startListening({
    PETSTORE_CONNECTIONS_MAX: '20000',
    ...(!isOnPostgres && { PETSTORE_DATABASE: `sqlite:${join(directory, 'store.db')}` }),
  })
  const other = await issueKey()
  for (let count = 0; count < 20; count++) await api.createPet({ name: '🐈'.repeat(1_000) })
  const greedy: { connection: RawConnection; bytes: Buffer }[][] = []
  for (const { operation } of operations) {
    const request = requestOf(operation, key)
    const connections = await Promise.all(Array.from({ length: atOnce }, () => open()))
    greedy.push(
      connections.map((connection, index) => ({
        connection,
        // Of some the last byte of the body is missing.
        bytes: index % 4 === 0 && operation.body ? request.subarray(0, -1) : request,
      })),
    )
  }
  const tookMs = { health: [] as number[], page: [] as number[] }
  const probe = async () => {
    const beganMs = performance.now()
    assert.equal((await exchange(get('', '/health/live'), 'GET', '/health/live')).status, 200)
    const healthMs = performance.now()
    const page = get().replace(key, other)
    assert.equal((await exchange(page, 'GET', '/v1/pets')).status, 200)
    tookMs.health.push(healthMs - beganMs)
    tookMs.page.push(performance.now() - healthMs)
  }

  for (const requests of greedy) {
    for (const { connection, bytes } of requests) {
      connection.socket.pause()
      connection.send(bytes)
    }
    await probe()
  }
  for (let left = probes; left > 0; left--) await probe()

  t.diagnostic(
    `slowest: health ${Math.max(...tookMs.health)} ms, page ${Math.max(...tookMs.page)} ms`,
  )
  assert.ok(Math.max(...tookMs.health) < healthMaxMs, `${tookMs.health}`)
  assert.ok(Math.max(...tookMs.page) < pageMaxMs, `${tookMs.page}`)
  for (const { connection } of greedy.flat()) connection.socket.destroy()
})
