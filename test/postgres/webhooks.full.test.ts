import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aReceiver } from '../harness/receiver.ts'
import { until } from '../harness/until.ts'
import { aDirectory } from '../processes/command.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { settingsFor, startService } from '../processes/process.ts'
import {
  createWebhook,
  creatingPets,
  eventIds,
  haveArrived,
  toThisMachine,
} from '../processes/webhooks.ts'

const webhooks = 8
/** The time that is promised. A busy machine may need more in this test. */
const takenOverMs = 10_000

it('the webhooks of a process that is killed are taken over; each event arrives at least once', async (t) => {
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
    const since = () =>
      receivers.map(
        ({ received }) => received.findLast(({ atMs }) => atMs > killedMs + 1_000)?.atMs,
      )
    await until(() => since().every((atMs) => atMs !== undefined))
    const gapsMs = receivers.map(({ received }) => {
      const times = received.map(({ atMs }) => atMs).filter((atMs) => atMs > killedMs)
      return Math.max(...times.map((atMs, index) => atMs - (times[index - 1] ?? killedMs)))
    })
    await Promise.all([first.stop(), second.stop()])

    t.diagnostic(`longest gaps after the kill, ms: ${gapsMs.map(Math.round)}`)
    assert.ok(Math.max(...gapsMs) < 2 * takenOverMs, String(gapsMs))
    const events = await eventIds(other)
    await until(() => receivers.every(({ received }) => haveArrived(events, received)))
  }
  await server.dropDatabase(database)
  await server.stop()
})
