import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aReceiver } from '../harness/receiver.ts'
import { freshSeed, SeededRandom } from '../harness/seeded-random.ts'
import { aDirectory, until } from '../processes/command.ts'
import { settingsFor, startService } from '../processes/process.ts'
import {
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
