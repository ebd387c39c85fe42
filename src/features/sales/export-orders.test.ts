import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'
import { fillStore } from '../../../test/harness/operations.ts'
import { InventoryItem } from './contract/inventory.ts'
import { order } from './contract/orders.ts'

const asJson = { accept: 'application/x-ndjson' }

for (const [list, item] of [
  ['/v1/store/orders', order.Item],
  ['/v1/inventory', InventoryItem],
] as const) {
  const url = `${list}/export`

  it(`200: ${url} has the records of the list, by its filters and its order`, async () => {
    const { api } = await startApp({ settings: { PETSTORE_ORDER_HOLD_MS: '1000' } })
    await fillStore(api)

    const { text, headers } = await api.get(url)

    const [head] = text.split('\r\n')
    const priced = url.includes('orders') ? ',currency' : ''
    assert.equal(head, Object.keys(item.properties).join(',') + priced)
    assert.match(headers['content-disposition'] ?? '', /"(?:orders|inventory)-2027-01-01\.csv"$/)
    for (const query of ['', '?sort=-id', '?status=pending', '?petId=2', '?petId=99']) {
      const lines = (await api.get(url + query, { headers: asJson })).text.trimEnd().split('\n')
      const listed = (await api.get(list + query)).text
      assert.equal(`[${lines.join(',')}]`, listed)
    }
  })

  it(`206, 304, 416: ${url} is a file with an entity tag`, async () => {
    const { api } = await startApp()
    const { headers, text } = await api.get(url)
    const get = (sent: Record<string, string>) => api.get(url, { headers: sent })

    const strict = { prefer: 'handling=strict' }
    const part = await get({ ...strict, range: 'bytes=1-', 'if-range': headers.etag ?? '' })
    assert.deepEqual([part.status, part.text], [206, text.slice(1)])
    assert.equal((await get({ 'if-none-match': headers.etag ?? '' })).status, 304)
    expectError(await get({ range: 'bytes=9999-' }), 416, 'range_not_satisfiable')
  })
}
