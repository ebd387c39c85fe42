import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { it, type TestContext } from 'node:test'
import { petstoreInThread } from '../processes/command-thread.ts'
import { serveRefused, settingsOn } from '../processes/postgres-store.ts'

const bool = 16
const int4 = 23
const text = 25

type Field = [name: string, type: number, value: string]

/** What the one session of the server behind the pooler returns. */
const results: [RegExp, Field[]][] = [
  [
    /pg_is_in_recovery\(\) or/,
    [
      ['standby', bool, 'f'],
      ['pid', int4, '4711'],
    ],
  ],
  [
    /pg_walfile_name/,
    [
      ['system', text, '7'],
      ['file', text, '000000010000000000000001'],
    ],
  ],
  [/pg_backend_pid/, [['pid', int4, '4711']]],
]

it('78 configuration: a pooler that shares sessions among its clients, and what to set; doctor says so too', async (t) => {
  const { port, parameters } = await startSharingPooler(t)
  const address = `postgres://me:secret@127.0.0.1:${port}/petstore`

  const { code, stdout, stderr } = await serveRefused(t, address)
  const examined = await petstoreInThread(['doctor', '--json'], { env: settingsOn(t, address) })

  assert.deepEqual([code, stdout], [78, ''])
  const sentence = /The pooler at 127\.0\.0\.1:\d+ shares sessions .* Set pool_mode = session/
  assert.match(stderr, new RegExp(`^${sentence.source}`))
  assert.equal(examined.code, 79)
  assert.match(examined.stdout, sentence)
  assert.doesNotMatch(stderr + examined.stdout, /secret/)
  // PgBouncer refuses others.
  const known = ['application_name', 'client_encoding', 'database', 'user']
  assert.deepEqual([...parameters].sort(), known)
})

/** Each client gets a number of its own, as from PgBouncer, and the same session. `parameters`: what clients begin with. */
async function startSharingPooler(t: TestContext) {
  let clients = 0
  const parameters = new Set<string>()
  const server = createServer((socket) => {
    let isStarted = false
    let statement = ''
    let pending: Buffer = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      pending = Buffer.concat([pending, bytes])
      for (;;) {
        const head = isStarted ? 1 : 0
        const end = pending.length < head + 4 ? Infinity : head + pending.readUInt32BE(head)
        if (pending.length < end) return
        const type = isStarted ? pending.toString('latin1', 0, 1) : ''
        const [first = '', second = ''] = pending.toString('latin1', head + 4, end).split('\0')
        const start = pending.subarray(0, end)
        pending = pending.subarray(end)
        if (!isStarted) {
          clients += 1
          const sent = start.toString('latin1', 8).split('\0')
          for (let at = 0; sent[at]; at += 2) parameters.add(sent[at] as string)
          socket.write(
            Buffer.concat([message('R', int32(0)), message('K', int32(clients), int32(1)), ready]),
          )
        }
        isStarted = true
        if (type === 'P') statement = second
        if (type === 'Q') socket.write(Buffer.concat([resultOf(first), ready]))
        if (type === 'S')
          socket.write(Buffer.concat([message('1'), message('2'), resultOf(statement), ready]))
        if (type === 'X') socket.end()
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { port: (server.address() as { port: number }).port, parameters }
}

/** The messages of PostgreSQL, chapter 54. */
const ready = message('Z', Buffer.from('I'))

function resultOf(statement: string): Buffer {
  const [, fields] = results.find(([pattern]) => pattern.test(statement)) ?? []
  assert.ok(fields, `The service asked a shared session for more: ${statement}`)
  const described = fields.map(([name, type]) =>
    Buffer.concat([
      Buffer.from(`${name}\0`),
      int32(0),
      int16(0),
      int32(type),
      int16(-1),
      int32(-1),
      int16(0),
    ]),
  )
  const values = fields.map(([, , value]) =>
    Buffer.concat([int32(value.length), Buffer.from(value)]),
  )
  return Buffer.concat([
    message('T', int16(fields.length), ...described),
    message('D', int16(fields.length), ...values),
    message('C', Buffer.from('SELECT 1\0')),
  ])
}

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
