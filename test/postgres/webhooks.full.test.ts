import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { aReceiver } from '../harness/receiver.ts'
import { until } from '../harness/until.ts'
import { aDirectory } from '../processes/command.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { launchService, settingsFor, startService } from '../processes/process.ts'
import {
  createWebhook,
  creatingPets,
  eventIds,
  haveArrived,
  toThisMachine,
} from '../processes/webhooks.ts'

const webhooks = 8
/** The time that is promised. A busy machine may need more in this test. */
const takenOverMs = 70_000
/** More than one turn of sending has, from the fan-out of events to the results of their deliveries. */
const statements = 60
const killing = fileURLToPath(new URL('../processes/kill-at-statement.ts', import.meta.url))

it('what a process that is killed was sending is sent by another one; each event arrives at least once', async (t) => {
  const server = await anyPostgres()
  const database = await server.createDatabase()
  const env = { ...settingsFor(aDirectory(t)), ...toThisMachine, PETSTORE_DATABASE: database }
  {
    await using killed = await startService({ env })
    await using other = await startService({ env })
    const receivers = await Promise.all(Array.from({ length: webhooks }, () => aReceiver(t)))
    for (const { url } of receivers) await createWebhook(killed, url)
    const [first, second] = [creatingPets(killed), creatingPets(other)]
    await until(() => receivers.every(({ received }) => received.length > 100))

    await killed.kill()
    const killedMs = performance.now()
    await until(async () => (await eventIds(other)).length > 300)
    await Promise.all([first.stop(), second.stop()])
    const events = await eventIds(other)
    const isDone = () => receivers.every(({ received }) => haveArrived(events, received))
    await until(isDone, 2 * takenOverMs)
    t.diagnostic(`all had arrived ${Math.round(performance.now() - killedMs)} ms after the kill`)
  }
  await server.dropDatabase(database)
  await server.stop()
})

it('each event arrives, whichever statement of sending a process was killed before', async (t) => {
  const server = await anyPostgres()
  const database = await server.createDatabase()
  const env = { ...settingsFor(aDirectory(t)), ...toThisMachine, PETSTORE_DATABASE: database }
  {
    await using other = await startService({ env })
    const receivers = [await aReceiver(t), await aReceiver(t)]
    for (const { url } of receivers) await createWebhook(other, url)
    const creating = creatingPets(other)
    for (let at = 0; at < statements; at++) {
      const kill = { NODE_OPTIONS: `--import=${killing}`, KILL_AT: String(at) }
      await using killed = launchService({ env: { ...env, ...kill } })
      const creatingToo = killed.ready.then(creatingPets, () => undefined)
      await killed.exited
      await (await creatingToo)?.stop()
      const asAfterAMinute = 'update webhook_deliveries set leased_until = leased_until - 61000'
      await server.query(asAfterAMinute, new URL(database).pathname.slice(1))
    }
    await creating.stop()
    const events = await eventIds(other)
    t.diagnostic(`${events.length} events`)
    await until(() => receivers.every(({ received }) => haveArrived(events, received)), takenOverMs)
  }
  await server.dropDatabase(database)
  await server.stop()
})
