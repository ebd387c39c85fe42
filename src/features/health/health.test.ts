import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'
import { isOnPostgres } from '../../../test/harness/engine.ts'
import { ServiceError } from '../../contract/service-error.ts'

it('200: a service that can commit is live and ready; no key is needed', async () => {
  const { api } = await startApp()

  const live = await api.get('/health/live', { key: null })
  const ready = await api.get('/health/ready', { key: null })

  assert.equal(live.text, '{"status":"live"}')
  const { replication, ...readiness } = JSON.parse(ready.text)
  assert.deepEqual(readiness, { status: 'ready' })
  assert.equal(replication !== undefined, isOnPostgres)
  assert.equal(ready.headers['cache-control'], 'no-store')
})

it('200: readiness makes a commit, liveness does not', async () => {
  const { api, context } = await startApp()
  const write = context.db.write
  const written: unknown[] = []
  context.db.write = (transaction, input) => {
    written.push(transaction.name)
    return write(transaction, input)
  }

  await api.get('/health/live')
  assert.deepEqual(written, [])
  await Promise.all([api.get('/health/ready'), api.get('/health/ready')])

  assert.deepEqual(written, ['updateReadiness', 'updateReadiness'])
})

it('503: a service that cannot commit is live but not ready', async () => {
  const { api, context } = await startApp()
  context.db.write = () => Promise.reject(new ServiceError('unavailable', 'The disk is full.'))

  const live = await api.get('/health/live')
  const ready = await api.get('/health/ready')

  assert.equal(live.status, 200)
  expectError(ready, 503, 'unavailable')
})

it('200, 503: health checks work under the base address too', async () => {
  const { api, context } = await startApp()

  for (const path of ['/health/live', '/health/ready']) {
    const [beside, below] = [await api.get(path), await api.get(`/v1${path}`, { key: null })]
    assert.deepEqual([below.status, below.text], [200, beside.text])
  }
  context.db.write = () => Promise.reject(new ServiceError('unavailable', 'The disk is full.'))
  expectError(await api.get('/v1/health/ready'), 503, 'unavailable')
})
