import type { Duplex } from 'node:stream'

/** How long a client may go on sending after the last answer: closing at once could cost it that answer. */
const lingerMaxMs = 1_000

/** Ends a connection so that the client can read what it was sent, whatever it is still sending itself. */
export function endPolitely(socket: Duplex, lastAnswer = ''): void {
  if (!socket.writable) return void socket.destroy()
  socket.once('finish', () => {
    const late = setTimeout(() => socket.destroy(), lingerMaxMs)
    socket.once('close', () => clearTimeout(late))
  })
  socket.end(lastAnswer)
  // Without these the parser would make requests of what still comes.
  socket.removeAllListeners('data')
  socket.on('data', () => undefined)
  socket.resume()
}
