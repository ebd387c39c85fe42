import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { itInFull } from '../harness/extent.ts'
import { aDirectory, ask, executable, spawnCommand } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { settingsFor, startService } from '../processes/process.ts'

type Received = { headers: Record<string, string>; body: string }

/** A receiver that answers these statuses in turn, the last one from then on. */
async function startReceiver(t: TestContext, statuses: number[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(statuses[received.length - 1] ?? statuses.at(-1) ?? 204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

itInFull(
  'webhooks listen --forward, --type, --after, --secret-file and --json: sends the events of a service as the log has them',
  async (t) => {
    const directory = aDirectory(t)
    const env = settingsFor(directory)
    await using service = await startService({ env })
    const receiver = await startReceiver(t, [500, 204])
    const create = (body: string) =>
      ask(`${service.baseUrl}/pets`, service.key, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    await create('{"name":"Rex","categoryId":9223372036854775807,"status":"available"}')
    const secretFile = join(directory, 'hook.secret')
    const listening = spawnCommand(
      t,
      executable(
        ...['webhooks', 'listen', '--forward', receiver.url, '--after', '0', '--json'],
        ...['--type', 'pet.created', '--secret-file', secretFile],
      ),
      { env: { ...env, PETSTORE_URL: service.baseUrl, PETSTORE_KEY: service.key } },
    )
    await listening.waitFor(/"responseStatus":500.*\n/)
    await ask(`${service.baseUrl}/pets/1`, service.key, { method: 'DELETE' })
    await create('{"name":"Sunny","categoryId":2}')
    await listening.waitFor(/"responseStatus":204.*\n/)
    assert.equal((await listening.stop('SIGINT')).code, 0)

    const listed = await ask(`${service.baseUrl}/events?type=pet.created`, service.key)
    assert.equal(`[${receiver.received.map(({ body }) => body).join(',')}]`, listed.text)
    const secret = readFileSync(secretFile, 'utf8').trim()
    assert.equal(statSync(secretFile).mode & 0o777, 0o600)
    const { stdout, stderr } = listening.output
    assert.ok(
      stderr.includes(`the secret in ${secretFile}`) && !`${stdout}${stderr}`.includes(secret),
    )
    for (const { headers, body } of receiver.received) {
      assert.equal(headers['webhook-id'], /^\{"id":(\d+),/.exec(body)?.[1])
      assert.equal(headers['content-type'], 'application/json')
      new Webhook(secret).verify(body, headers)
    }
  },
)

itInFull(
  'webhooks listen --url: follows a service elsewhere with the key of PETSTORE_KEY',
  async (t) => {
    await using service = await startService({ env: settingsFor(aDirectory(t)) })
    const receiver = await startReceiver(t, [204])
    const url = service.baseUrl
    const args = ['webhooks', 'listen', '--url', url, '--forward', receiver.url, '--after', '0']
    const elsewhere = { cwd: aDirectory(t), env: { PETSTORE_KEY: service.key } }
    const listening = spawnCommand(t, executable(...args), elsewhere)
    await ask(`${url}/pets`, service.key, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":9223372036854775807}',
    })
    await listening.waitFor(/pet\.created {2}204 after \d+ ms\n/)
    assert.equal((await listening.stop('SIGTERM')).code, 0)

    const listed = await ask(`${url}/events?type=pet.created`, service.key)
    const [body] = receiver.received.map(({ body }) => body).filter((text) => text.includes('Rex'))
    assert.equal(`[${body}]`, listed.text)
    const secret = /whsec_[\w+/=]+/.exec(listening.output.stderr)?.[0] as string
    assert.ok(!listening.output.stderr.includes(service.key))
    const { headers } = receiver.received.at(-1) as Received
    new Webhook(secret).verify(receiver.received.at(-1)?.body as string, headers)
    assert.throws(() => new Webhook(secret).verify(`${body} `, headers))
  },
)

it('webhooks listen --profile, --key-stdin: refuses what it cannot use, each with exit code 64', async (t) => {
  const env = settingsFor(aDirectory(t))
  const forward = ['--forward', 'http://127.0.0.1:9/']
  const refused: [string[], RegExp][] = [
    [[], /^Say where events are sent: --forward URL/],
    [['--forward', 'http://user:word@127.0.0.1/'], /^Say where/],
    [[...forward, '--type', 'pet.create'], /did you mean pet\.created\?/],
    [[...forward, '--after', 'x'], /^--after must be the id of an event/],
    [[...forward, '--url', 'http://127.0.0.1:9/v1'], /^There is no key: set PETSTORE_KEY/],
    [[...forward, '--profile', 'none'], /^There is no profile "none"/],
    [[...forward, '--key-stdin'], /^There is no key: /],
    [[...forward, '--secret-file', '.'], /^--secret-file \. cannot be read/],
  ]
  for (const [options, message] of refused) {
    const { code, stdout, stderr } = await petstoreInThread(['webhooks', 'listen', ...options], {
      env,
    })
    assert.deepEqual([code, stdout], [64, ''], stderr)
    assert.match(stderr, message)
    assert.ok(!stderr.includes('user:word'))
  }
})
