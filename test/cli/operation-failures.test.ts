import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it, type TestContext } from 'node:test'
import { itInFull } from '../harness/extent.ts'
import { freePort } from '../processes/command.ts'
import { startHttpFaults } from '../processes/http-faults.ts'
import { startCommands } from './start-commands.ts'

/** A server that answers each request alike. */
async function startServer(t: TestContext, status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

describe('failures of commands over HTTP', () => {
  let service: Awaited<ReturnType<typeof startCommands>>
  before(async () => {
    service = await startCommands()
  })
  after(() => service.store.close())

  it('66 notFound: a record that does not exist; one line with code and request id', async () => {
    const { code, stdout, stderr } = await service.run('orders get 999999')
    assert.deepEqual([code, stdout], [66, ''])
    assert.match(stderr, /^404 not_found: [^\n]+ \(getOrder, request [\w-]+\)\n$/)
  })

  it('77 noPermission: a key that is not accepted, or may not do it', async () => {
    const [reader = ''] = service.store.keys
    for (const key of ['pet_test_wrong', reader]) {
      const keyed = { env: { ...service.env, PETSTORE_KEY: key } }
      const { code, stdout, stderr } = await service.run(
        'pets create --name Rex --category-id 1',
        keyed,
      )
      assert.deepEqual([code, stdout], [77, ''], stderr)
      assert.match(stderr, /^40[13] \w+: [^\n]+\n$/)
      assert.ok(!stderr.includes(key))
    }
  })

  it('83 refused: what the service does not do, with all problems in one line', async () => {
    const { code, stdout, stderr } = await service.run([
      ...['pets', 'create', '--name', ' ', '--category-id', '1', '--status', 'lost'],
    ])
    assert.deepEqual([code, stdout], [83, ''])
    assert.match(stderr, /^400 \w+: name must be [^\n]*; status must be [^\n]*\n$/)
  })

  async function expectUnreachable(url: string, message: RegExp) {
    const { code, stdout, stderr } = await service.run(`pets list --url ${url}`)
    assert.deepEqual([code, stdout], [68, ''], stderr)
    assert.match(stderr, message)
    assert.equal(stderr.split('\n').length, 2, stderr)
  }

  it('68 unreachable: a server that is no pet store, or a proxy that refuses by itself', async (t) => {
    const url = await startServer(t, 404, '<h1>No</h1>')
    await expectUnreachable(url, /^404: [^\n]* Is this the base address of a pet store/)
    const proxy = await startServer(t, 413, '')
    await expectUnreachable(proxy, /^413: A proxy in front of the service [^?]* \(listPets\)\n$/)
    const https = url.replace('http:', 'https:')
    await expectUnreachable(
      https,
      /^No answer arrived: the port does not speak TLS\. Does .* http:/,
    )
  })

  itInFull('68 unreachable: no server, or a response that is no JSON, after retries', async (t) => {
    const nowhere = `http://127.0.0.1:${await freePort()}/v1`
    await expectUnreachable(nowhere, /^No answer arrived: [^\n]*ECONNREFUSED/)
    const url = await startServer(t, 200, '<h1>Hello</h1>')
    await expectUnreachable(url, /^No answer arrived: [^\n]*JSON/)
  })

  itInFull('84 unknownOutcome: the same --idempotency-key makes it once', async (t) => {
    const faults = await startHttpFaults(service.store.baseUrl)
    t.after(() => faults.close())
    faults.decide = ({ method }) => (method === 'POST' ? 'cut after' : undefined)
    const words = ['pets', 'create', '--name', 'Once', '--category-id', '1']
    const cut = { env: { ...service.env, PETSTORE_URL: faults.baseUrl } }
    const lost = await service.run(words, cut)
    assert.deepEqual([lost.code, lost.stdout], [84, ''], lost.stderr)
    const key = /--idempotency-key (\w+)/.exec(lost.stderr)?.[1] as string

    faults.decide = undefined
    await service.output([...words, '--idempotency-key', key], cut)

    assert.equal((await service.output('pets list --name Once --quiet')).split('\n').length, 2)
  })

  it('a response that is cut in the middle is fetched again, and a create is made once', async (t) => {
    const faults = await startHttpFaults(service.store.baseUrl)
    t.after(() => faults.close())
    let isCut = true
    faults.decide = () => {
      isCut = !isCut
      return isCut ? undefined : 'truncate'
    }
    const cut = { env: { ...service.env, PETSTORE_URL: faults.baseUrl } }
    await service.output('pets create --name Cutty --category-id 1', cut)
    const listed = await service.output('pets list --name Cutty --ndjson', cut)

    assert.equal(listed.split('\n').length, 2)
  })

  const wrong: [words: string, message: RegExp][] = [
    ['pets lst', /^There is no command pets lst; did you mean pets list\?/],
    ['pets', /^Say which: pets list, pets create, .* or pets \w+\. See petstore pets --help/],
    ['pets list --stauts sold', /^There is no option --stauts; did you mean --status\?/],
    ['pets list --columns nam', /^--columns: there is no "nam"; did you mean name\?/],
    ['pets list --limit 0', /^--limit must be a number from 1\./],
    ['pets list --limit 1 --all', /^--all and --limit exclude each other\./],
    ['pets list --url ftp://host', /^The address of a service is one such as/],
    ['pets create', /^Missing: --name, --category-id\./],
    ['pets create --name a --data -', /^--data has the whole body; --name excludes it\./],
    ['pets create --data /nowhere', /^--data \/nowhere cannot be read: /],
    ['pets create --data - --key-stdin', /^--data - and --key-stdin exclude each other\./],
    ['pets get ..', /^ID must be an integer; received "\.\."\./],
    ['webhooks retry-delivery 1', /^Say which: DELIVERY-ID is missing\./],
    ['webhooks retry-delivery 1 2 3', /^petstore webhooks retry-delivery takes 2 arguments; /],
  ]

  it('64 usage: what is wrong with the command line, and nothing is sent', async () => {
    for (const [words, message] of wrong) {
      const { code, stdout, stderr } = await service.run(words)
      assert.deepEqual([code, stdout], [64, ''], `${words}: ${stderr}`)
      assert.match(stderr, message)
      assert.match(stderr, /^[^\n]+ See petstore[a-z -]* --help\.\n$/)
    }
  })
})
