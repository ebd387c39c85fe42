import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aReceiver } from '../harness/receiver.ts'
import { freshSeed, SeededRandom } from '../harness/seeded-random.ts'
import { until } from '../harness/until.ts'
import { aDirectory, ask } from '../processes/command.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'
import {
  createPet,
  createWebhook,
  creatingPets,
  eventIds,
  haveArrived,
  toThisMachine,
} from '../processes/webhooks.ts'

const rounds = 8

it('kill -9 of a service that sends webhooks: each event arrives at least once, under its own id', async (t) => {
  const seed = Number(process.env.CHAOS_SEED ?? freshSeed())
  t.diagnostic(`CHAOS_SEED=${seed}`)
  const random = new SeededRandom(seed)
  const env = { ...settingsFor(aDirectory(t)), ...toThisMachine }
  const receiver = await aReceiver(t)
  for (let round = 0; round < rounds; round++) {
    await using service = await startService({ env })
    if (round === 0) await createWebhook(service, receiver.url)
    const creating = [creatingPets(service), creatingPets(service)]
    await sleep(random.between(100, 3_000))
    await service.kill()
    for (const one of creating) await one.stop()
  }

  await using service = await startService({ env })
  const events = await eventIds(service)
  await until(() => haveArrived(events, receiver.received))
})

type Delivery = { attempts: object[] }
type Response = { status: number } | 'never'

it('kill -9 at each step of a delivery: it arrives at least once, under its own id', async (t) => {
  const env = { ...settingsFor(aDirectory(t)), ...toThisMachine }
  let response: Response = { status: 204 }
  const receiver = await aReceiver(t, () => response)
  const { received } = receiver
  const deliveries = async ({ baseUrl, key }: Service, status: string): Promise<Delivery[]> =>
    JSON.parse((await ask(`${baseUrl}/webhooks/1/deliveries?status=${status}`, key)).text)
  const steps: {
    step: string
    responds?: Response
    hasReached(service: Service, before: number): boolean | Promise<boolean>
  }[] = [
    { step: 'the event is committed', hasReached: () => true },
    {
      step: 'an attempt waits for a response',
      responds: 'never',
      hasReached: (_service, before) => received.length > before,
    },
    {
      step: 'the response is sent, its result is not stored',
      hasReached: (_service, before) => received.length > before,
    },
    {
      step: 'the result is stored',
      hasReached: async (service) => (await deliveries(service, 'pending')).length === 0,
    },
    {
      step: 'it waits for its next attempt',
      responds: { status: 500 },
      hasReached: async (service) =>
        (await deliveries(service, 'pending')).some(({ attempts }) => attempts.length > 0),
    },
  ]
  for (const [index, { step, responds = { status: 204 }, hasReached }] of steps.entries()) {
    await using service = await startService({ env })
    if (index === 0) await createWebhook(service, receiver.url)
    await until(() => received.length >= index)
    await until(async () => (await deliveries(service, 'pending')).length === 0)
    response = responds
    const before = received.length
    await createPet(service)
    await until(() => hasReached(service, before))
    await service.kill()
    response = { status: 204 }
    t.diagnostic(`${step}: ${received.length} requests`)
  }

  await using service = await startService({ env })
  const events = await eventIds(service)
  assert.equal(events.length, steps.length)
  await until(() => haveArrived(events, received))
  await until(async () => (await deliveries(service, 'pending')).length === 0)
})
