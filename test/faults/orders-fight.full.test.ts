import assert from 'node:assert/strict'
import { it } from 'node:test'
import { OrdersHistory } from '../consistency/orders/history.ts'
import { runFights } from '../consistency/orders/rounds.ts'
import { aDirectory } from '../processes/command.ts'
import { settingsFor, startService } from '../processes/process.ts'

const rounds = 4

it('201 as often as there is stock, else 409: 64 clients order the same few pets', async (t) => {
  const directory = aDirectory(t)
  await using service = await startService({ env: settingsFor(directory) })
  const { baseUrl, key } = service
  const shop = { baseUrls: [baseUrl], key, history: new OrdersHistory() }

  const { placed, refused, unknown, stock } = await runFights(shop, rounds)

  t.diagnostic(`${placed} orders of ${stock} pets, ${refused} refused`)
  assert.equal(placed, stock)
  assert.equal(refused, rounds * 64 * 3 - stock)
  assert.equal(unknown, 0)
})
