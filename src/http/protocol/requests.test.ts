import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { it, type TestContext } from 'node:test'
import { mockTimers } from '../../../test/harness/mock-timers.ts'
import type { Connection } from './connection.ts'
import { createRequests } from './requests.ts'

/** What begins, and what is refused, on connections whose last key was wrong. Two begin in each millisecond. */
function startUnauthorized(t: TestContext) {
  mockTimers(t.mock, 'setTimeout')
  const handled: string[] = []
  const refused: string[] = []
  const requests = createRequests({
    isProbe: () => false,
    refuse: ({ url = '' }) => refused.push(url),
  })
  const own: Partial<Connection> = { canWait: true, isUnauthorized: true, pipelined: 0 }
  const aConnection = () =>
    ({
      socket: { destroyed: false, pause: () => undefined, emit: () => undefined },
      handle: ({ url = '' }) => handled.push(url),
      ...{ responses: [], ...own },
    }) as unknown as Connection & { responses: ServerResponse[] }
  return {
    ...{ handled, refused, requests, aConnection },
    take(connection: Connection, url: string) {
      const req = { url, complete: true } as IncomingMessage
      const response = { req, _onPendingData: () => undefined, once: () => undefined }
      requests.take(connection, req, response as unknown as ServerResponse)
    },
    /** The requests of the connection are answered. */
    answer: ({ responses }: Connection) => {
      for (const response of responses) Object.assign(response, { writableFinished: true })
    },
  }
}

it('a request waits for a whole second, also on a connection that was in line when requests were held', (t) => {
  const { handled, refused, requests, aConnection, take, answer } = startUnauthorized(t)
  const connection = aConnection()
  const fill = () => {
    for (const url of ['/a', '/b']) take(aConnection(), url)
  }
  fill()
  take(connection, '/first')
  requests.hold()
  requests.release([connection])
  assert.deepEqual(handled, ['/a', '/b'])
  t.mock.timers.tick(1)
  assert.deepEqual(handled, ['/a', '/b', '/first'])
  answer(connection)
  t.mock.timers.tick(998)
  fill()

  take(connection, '/second')
  t.mock.timers.tick(1)

  assert.deepEqual([refused, handled.at(-1)], [[], '/second'])
})
