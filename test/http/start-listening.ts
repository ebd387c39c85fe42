import assert from 'node:assert/strict'
import type { AddressInfo, Socket } from 'node:net'
import type { Observer } from '../../src/http/observe.ts'
import { startApp, type TestApp } from '../harness/app.ts'
import { checkAnswer } from '../harness/contract.ts'
import { openConnection, type RawAnswer, type RawConnection } from '../harness/raw-http.ts'

/** A path without an operation: the document declares what responses outside of operations have. */
const anyPath = '/any'
const errorLevel = 50

/** A service for one test on its own port, and the texts of requests that it accepts. */
export async function startListening(
  settings: Record<string, string | undefined> = {},
  {
    observers = [],
    prepare,
  }: { observers?: readonly Observer[]; prepare?(app: TestApp): void } = {},
) {
  const app = await startApp({ settings, observers })
  prepare?.(app)
  const accepted: Socket[] = []
  app.server.server.on('connection', (socket: Socket) => accepted.push(socket))
  // A stop would wait for connections that a failed test has left.
  app.server.addHook('preClose', async () => {
    for (const socket of accepted) socket.destroy()
  })
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.server.address() as AddressInfo
  const key = `Authorization: Bearer ${app.key}\r\n`

  /** A request whose headers end with these lines; each ends with CRLF. */
  const get = (headers = '', target = '/v1/pets') =>
    `GET ${target} HTTP/1.1\r\nHost: petstore.test\r\n${key}${headers}\r\n`
  const post = (headers: string, body: string) =>
    `POST /v1/pets HTTP/1.1\r\nHost: petstore.test\r\n${key}${headers}\r\n${body}`

  /** The next response on a connection that is not interim, checked against the document. */
  async function receive(
    connection: RawConnection,
    method = 'GET',
    path = anyPath,
  ): Promise<RawAnswer> {
    let answer = await connection.receive(method)
    while (answer && answer.status < 200) answer = await connection.receive(method)
    assert.ok(answer, 'the connection ended without an answer')
    checkAnswer(method, path, answer)
    return answer
  }

  return {
    ...app,
    port,
    get,
    post,
    receive,
    open: (options?: { allowHalfOpen?: boolean; localAddress?: string }) =>
      openConnection(port, options),
    /** Sends bytes on a new connection; returns the first response. */
    async exchange(bytes: string | Buffer, method?: string, path?: string): Promise<RawAnswer> {
      await using connection = await openConnection(port)
      connection.send(bytes)
      return await receive(connection, method, path)
    },
    /** Fails unless a normal request is served with these pets, and no error was logged. */
    async expectServes(petCount = 0): Promise<void> {
      await using connection = await openConnection(port)
      connection.send(get())
      const answer = await receive(connection, 'GET', '/v1/pets')
      assert.equal(answer.status, 200)
      assert.equal(JSON.parse(answer.text).length, petCount)
      const errors = app.logLines.filter((line) => JSON.parse(line).level >= errorLevel)
      assert.deepEqual(errors, [])
    },
  }
}

/** A chunked body of these pieces, without its last chunk. */
export function chunks(...pieces: string[]): string {
  return pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')
}
export const lastChunk = '0\r\n\r\n'
