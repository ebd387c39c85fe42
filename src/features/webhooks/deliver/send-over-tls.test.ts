import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import type { Outcome } from './send-attempt.ts'

const folder = join(import.meta.dirname, '../../../../test/postgres/tls')
const certificate = join(folder, 'server.crt')

/** Sends to both names, which stand for this machine, in a process that trusts what its environment says. */
const program = `
import { createSender } from './send-attempt.ts'
import { createTargets } from './targets.ts'
const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
const targets = createTargets({ hosts: ['127.0.0.1'], resolve, isOwn: () => false })
const sender = createSender(targets)
const outcomes = []
for (const name of ['localhost', 'shop.test'])
  outcomes.push(await sender.send({ url: 'https://' + name + ':' + process.argv[1], headers: {}, body: Buffer.from('{}') }))
sender.close()
console.log(JSON.stringify(outcomes))
`

it('over TLS the name is sent and the certificate is checked for it, at the address that was checked', async (t) => {
  const names: unknown[] = []
  const [cert, key] = [readFileSync(certificate), readFileSync(join(folder, 'server.key'))]
  const SNICallback = (name: string, use: (error: Error | null) => void) => {
    names.push(name)
    use(null)
  }
  const server = createServer({ key, cert, SNICallback }, (request, response) => {
    request.resume()
    response.writeHead(204).end()
  })
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const send = async (env: Record<string, string>): Promise<Outcome[]> => {
    const args = ['--input-type=module', '--eval', program, String(port)]
    const options = { cwd: import.meta.dirname, env }
    const { stdout } = await promisify(execFile)(process.execPath, args, options)
    return JSON.parse(stdout)
  }

  const [trusting, other] = await Promise.all([
    send({ NODE_EXTRA_CA_CERTS: certificate }),
    send({}),
  ])

  const about = 'The certificate of the receiver is not valid: '
  assert.equal(trusting[0]?.responseStatus, 204)
  assert.match(trusting[1]?.error ?? '', new RegExp(`^${about}.*shop\\.test`))
  for (const { error } of other) assert.equal(error, `${about}self-signed certificate.`)
  assert.deepEqual(new Set(names), new Set(['localhost', 'shop.test']))
})
