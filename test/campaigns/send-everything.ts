/**
 * Sends every operation there is, so many of each at once, with the worst bodies, and reads nothing: PORT KEY EACH. Prints a line when
 * all connections are open, sends at a line on its input, and then waits for its end.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { operations } from '../../src/app/operations.ts'
import { requestOf } from '../http/every-operation.ts'

const [port, key = '', each] = process.argv.slice(2)
const requests = operations.flatMap(({ operation }) =>
  Array.from({ length: Number(each) }, () => requestOf(operation, key)),
)
const sockets = await Promise.all(
  requests.map(async () => {
    const socket = connect({ port: Number(port), host: '127.0.0.1' }).on('error', () => undefined)
    await once(socket, 'connect')
    return socket.pause()
  }),
)
console.log('{}')
await once(process.stdin, 'data')
// Of every fourth the last byte of the body is missing.
for (const [index, socket] of sockets.entries())
  socket.write(requests[index]?.subarray(0, index % 4 === 0 ? -1 : undefined) ?? '')
