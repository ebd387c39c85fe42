import type { Duplex } from 'node:stream'

/** How long a client may send after the last response: closing immediately could lose that response. */
const lingerMaxMs = 1_000

/** Closes a connection so that the client can read all responses, even while it is still sending. */
export function endPolitely(socket: Duplex, lastBytes = ''): void {
  if (!socket.writable) return void socket.destroy()
  socket.once('finish', () => {
    const late = setTimeout(() => socket.destroy(), lingerMaxMs)
    socket.once('close', () => clearTimeout(late))
  })
  socket.end(lastBytes)
  // Otherwise the parser would read further bytes as requests.
  socket.removeAllListeners('data')
  socket.on('data', () => undefined)
  socket.resume()
  // While the parser reads the socket, its stream waits for it and would not start reading again.
  socket._read(0)
}
