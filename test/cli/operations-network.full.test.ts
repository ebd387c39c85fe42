import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { petstore } from '../processes/command.ts'
import { repositoryRoot } from '../processes/process.ts'

const certificate = (name: string) =>
  readFileSync(join(repositoryRoot, 'test/postgres/tls', name), 'utf8')

describe('commands over HTTP in a network', () => {
  let store: Awaited<ReturnType<typeof startPetstore>>
  before(async () => {
    store = await startPetstore({ seed: 3 })
  })
  after(() => store.close())

  /** The store behind TLS, with a certificate that nobody known has signed. */
  async function startTls(t: TestContext): Promise<string> {
    const tls = { key: certificate('server.key'), cert: certificate('server.crt') }
    const server = createServer(tls, async ({ url = '', headers }, response) => {
      const answer = await fetch(new URL(url, store.baseUrl), {
        headers: { authorization: headers.authorization ?? '' },
      })
      response.writeHead(answer.status).end(await answer.text())
    })
    await once(server.listen(0), 'listening')
    t.after(() => server.close().closeAllConnections())
    return `https://localhost:${(server.address() as AddressInfo).port}/v1`
  }

  it('68 unreachable: a certificate that nobody signed, unless its authority is named', async (t) => {
    const url = await startTls(t)
    const args = ['pets', 'list', '--quiet', '--url', url]
    const refused = await petstore(args, { env: { PETSTORE_KEY: store.key } })

    assert.deepEqual([refused.code, refused.stdout], [68, ''], refused.stderr)
    assert.match(refused.stderr, /^No answer arrived: [^\n]*NODE_EXTRA_CA_CERTS=FILE[^\n]*\n$/)
    const trusted = {
      PETSTORE_KEY: store.key,
      NODE_EXTRA_CA_CERTS: join(repositoryRoot, 'test/postgres/tls/server.crt'),
    }
    const { code, stdout, stderr } = await petstore(args, { env: trusted })
    assert.deepEqual([code, stdout], [0, '1\n2\n3\n'], stderr)
  })

  it('HTTPS_PROXY and HTTP_PROXY: requests go through it, but not to this machine', async (t) => {
    const targets: string[] = []
    const { hostname, port } = new URL(store.baseUrl)
    const proxy = createTcpServer((socket) => {
      socket.once('data', (bytes) => {
        const [line = ''] = String(bytes).split('\r\n', 1)
        targets.push(line)
        const upstream = connect(Number(port), hostname)
        // A request is passed on, and a tunnel opened: whatever host is meant, the store is behind it.
        if (line.startsWith('CONNECT')) socket.write('HTTP/1.1 200 OK\r\n\r\n')
        else upstream.write(bytes)
        upstream.on('error', () => socket.destroy())
        socket.on('error', () => upstream.destroy())
        socket.pipe(upstream).pipe(socket)
      })
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    t.after(() => proxy.close())
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const env = { PETSTORE_KEY: store.key, HTTPS_PROXY: address, HTTP_PROXY: address }
    const list = (url: string) => petstore(['pets', 'list', '--quiet', '--url', url], { env })

    const direct = await list(store.baseUrl)
    assert.deepEqual([direct.code, direct.stdout, targets], [0, '1\n2\n3\n', []], direct.stderr)
    const through = await list('http://store.example/v1')
    assert.deepEqual([through.code, through.stdout], [0, '1\n2\n3\n'], through.stderr)
    assert.match(targets.join('\n'), /store\.example/)
    const secure = await list('https://secure.example/v1')
    assert.equal(secure.code, 68)
    assert.match(targets.join('\n'), /^CONNECT secure\.example:443 /m)
  })
})
