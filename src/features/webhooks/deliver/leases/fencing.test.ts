import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../../../test/harness/app.ts'
import { hosts } from '../../../../../test/harness/sending.ts'
import { insertDeliveries, type Result, updateDeliveries } from '../queries.ts'
import { holdLeases, releaseLeases, selectWork, type Work } from './queries.ts'

it('a process whose webhook another one has taken stores no deliveries, no results and no position', async () => {
  const app = await startApp({ settings: hosts })
  const { db, clock } = app.context
  await app.api.post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook' })
  await app.api.createPet()
  await app.api.addDelivery({ webhookId: 1n, eventId: 1n, status: 'pending' })
  const shown = async () => (await app.api.get('/v1/webhooks/1/deliveries')).json()
  async function take(holder: string): Promise<Work> {
    await db.write(holdLeases, { holder, max: 1 })
    const [work] = await db.read(selectWork, holder)
    assert.ok(work?.isHeld)
    return work
  }
  const result: Result = {
    ...{ id: 1n, wasDueAt: clock() + 5_000, status: 'succeeded', dueAt: undefined },
    ...{ attempts: [], hasFailed: false, isGone: false },
  }
  const store = ({ fence, position: from }: Pick<Work, 'fence' | 'position'>) => {
    const queue = { webhookId: 1n, fence, from, to: from + 1n, now: clock() }
    return db.write(insertDeliveries, {
      ...queue,
      events: [{ id: from + 1n, type: 'pet.created' }],
    })
  }
  const finish = ({ fence }: Work) => {
    const queue = { webhookId: 1n, fence, now: clock(), mayDisable: false }
    return db.write(updateDeliveries, { ...queue, results: [result] })
  }
  const old = await take('old')
  await db.write(releaseLeases, 'old')
  const now = await take('new')
  const before = await shown()

  assert.deepEqual([await store(old), await finish(old)], [false, false])
  assert.equal(await store({ ...now, position: now.position - 1n }), false)
  assert.deepEqual(await shown(), before)
  assert.equal((await db.read(selectWork, 'new'))[0]?.position, old.position)

  assert.deepEqual([await store(now), await finish(now)], [true, true])
  assert.notDeepEqual(await shown(), before)
})
