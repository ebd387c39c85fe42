import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { listCancellations } from '../../bench/harness/orders.ts'
import { aDirectory } from '../processes/command.ts'

/** A server with two pages of open orders. Records what it is sent besides. */
async function startServer(t: TestContext) {
  const sent: string[] = []
  const server = createServer((request, response) => {
    const { method, url = '' } = request
    if (method !== 'GET') sent.push(`${method} ${url}`)
    const isLast = url.includes('cursor=')
    const link = `<http://127.0.0.1${url}&cursor=a>; rel="next"`
    response.writeHead(200, isLast ? {} : { link })
    response.end(JSON.stringify(isLast ? [{ id: 9 }] : [{ id: 3 }, { id: 5 }]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close().closeAllConnections())
  const { port } = server.address() as { port: number }
  return { address: { baseUrl: `http://127.0.0.1:${port}/v1`, key: 'a key' }, sent }
}

it('a window of cancellations has each open order of every page once', async (t) => {
  const { address } = await startServer(t)
  const directory = aDirectory(t)
  const list = join(directory, 'list')

  const count = await listCancellations(address, list)

  assert.equal(count, 3)
  assert.deepEqual(
    readFileSync(list, 'utf8').split('\n'),
    [3, 5, 9].map((id) => `DELETE /v1/store/orders/${id}`),
  )
})
