import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../../../test/harness/app.ts'
import { storeProgress } from '../queries.ts'
import type { Result } from '../result-of.ts'
import { holdLeases, releaseLeases, selectWork, type Work } from './queries.ts'

it('a process whose webhook another one has taken stores no deliveries, no results and no position', async () => {
  const app = await startApp()
  const { db, clock } = app.context
  await app.api.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook' })
  await app.api.createPet()
  await app.api.addDelivery({ webhookId: 1n, eventId: 1n, status: 'pending' })
  const statuses = async () => {
    const deliveries = (await app.api.get('/v1/webhooks/1/deliveries')).json()
    return (deliveries as { status: string }[]).map(({ status }) => status)
  }
  async function take(holder: string): Promise<Work> {
    await db.write(holdLeases, holder)
    const [work = assert.fail()] = await db.read(selectWork, undefined)
    assert.equal(work.holder, holder)
    return work
  }
  const results: Result[] = [
    { id: 1n, wasDueAt: clock() + 5_000, status: 'succeeded', attempts: [] },
  ]
  const store = ({ fence, position: from }: Pick<Work, 'fence' | 'position'>) => {
    const queue = { webhookId: 1n, fence, from, to: from + 1n, now: clock() }
    const events = [{ id: from + 1n, type: 'pet.created' }]
    return db.write(storeProgress, { ...queue, events, results })
  }
  const old = await take('old')
  await db.write(releaseLeases, 'old')
  const now = await take('new')

  assert.equal(await store(old), false)
  assert.equal(await store({ ...now, position: now.position - 1n }), false)
  assert.deepEqual(await statuses(), ['pending'])
  assert.equal((await db.read(selectWork, undefined))[0]?.position, old.position)

  assert.equal(await store(now), true)
  assert.deepEqual(await statuses(), ['succeeded', 'pending'])
})
