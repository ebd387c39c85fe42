import type { Socket } from 'node:net'
import { type Connection, connectionOf } from '../../src/http/protocol/connection.ts'
import { until } from '../harness/until.ts'
import { startListening } from './start-listening.ts'

/** A service of one connection at a time, and the states of each that it accepts. */
export async function startTraced() {
  const service = await startListening({ PETSTORE_CONNECTIONS_MAX: '1' })
  const traces: { exchanges: string[]; slots: string[] }[] = []
  service.server.server.on('connection', (socket: Socket) => {
    const connection = connectionOf(socket)
    const exchanges = trace(connection, 'exchange')
    traces.push({ exchanges, slots: trace(connection, 'slot') })
  })
  return {
    ...service,
    async open() {
      const index = traces.length
      const client = await service.open()
      await until(() => traces.length > index)
      const expectStates = (kind: 'exchanges' | 'slots') => (expected: string) =>
        until(() => traces[index]?.[kind].join(' ') === expected)
      return Object.assign(client, {
        /** Resolves once its exchange has had these states, from its acceptance on. */
        exchanges: expectStates('exchanges'),
        /** The same for its slot. */
        slots: expectStates('slots'),
      })
    },
  }
}

/** What a state is, and all that it becomes. */
function trace(connection: Connection, name: 'exchange' | 'slot'): string[] {
  let state: string = connection[name]
  const states = [state]
  const set = (next: string) => {
    states.push(next)
    state = next
  }
  Object.defineProperty(connection, name, { get: () => state, set })
  return states
}
