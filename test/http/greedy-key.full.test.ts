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
/** 250 ms and a second on a machine that does nothing else: see docs/operations/limits.md. */
const healthMaxMs = 5_000
const pageMaxMs = 20_000

it('200: one key sends every operation there is, with the worst bodies, and reads nothing: health and other keys are served', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-greedy-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const { key, issueKey, open, exchange, get, api } = await startListening({
    PETSTORE_CONNECTIONS_MAX: '20000',
    ...(!isOnPostgres && { PETSTORE_DATABASE: `sqlite:${join(directory, 'store.db')}` }),
  })
  const other = await issueKey()
  for (let count = 0; count < 20; count++) await api.createPet({ name: '🐈'.repeat(1_000) })
  const sent: RawConnection[] = []
  for (const { operation } of operations) {
    const request = requestOf(operation, key)
    for (let count = 0; count < atOnce; count++) {
      const connection = await open()
      connection.socket.pause()
      // Of some the last byte of the body is missing.
      connection.send(count % 4 === 0 && operation.body ? request.subarray(0, -1) : request)
      sent.push(connection)
    }
  }

  const tookMs = { health: [] as number[], page: [] as number[] }
  for (let probe = 0; probe < probes; probe++) {
    const beganMs = performance.now()
    assert.equal((await exchange(get('', '/health/live'), 'GET', '/health/live')).status, 200)
    const healthMs = performance.now()
    const page = get().replace(key, other)
    assert.equal((await exchange(page, 'GET', '/v1/pets')).status, 200)
    tookMs.health.push(healthMs - beganMs)
    tookMs.page.push(performance.now() - healthMs)
  }

  t.diagnostic(
    `slowest: health ${Math.max(...tookMs.health)} ms, page ${Math.max(...tookMs.page)} ms`,
  )
  assert.ok(Math.max(...tookMs.health) < healthMaxMs, `${tookMs.health}`)
  assert.ok(Math.max(...tookMs.page) < pageMaxMs, `${tookMs.page}`)
  for (const { socket } of sent) socket.destroy()
})
