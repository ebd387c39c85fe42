import { createServer, connect as dial, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { listen } from '../harness/listen.ts'

// The thread of a link: see link.ts.

const { target, counts } = workerData as { target: string; counts: Int32Array }
const [host = '', port = ''] = target.split(':')
const sockets = new Set<Socket>()
let isCut = false

const listener = createServer({ allowHalfOpen: true }, (client) => {
  const server = dial({ port: Number(port), host, allowHalfOpen: true })
  Atomics.add(counts, 1, 1)
  server.once('data', () => {
    if (client.readableEnded) return
    Atomics.add(counts, 0, 1)
    server.once('close', () => Atomics.sub(counts, 0, 1))
  })
  forward(client, server)
  forward(server, client)
})
const ownPort = await listen(listener)
parentPort?.on('message', (message) => {
  isCut = message === 'cut'
  for (const socket of sockets) {
    if (isCut) socket.pause()
    else socket.resume()
  }
})
parentPort?.postMessage(`127.0.0.1:${ownPort}`)

function forward(from: Socket, to: Socket): void {
  sockets.add(from)
  // Not a pipe: that would resume what is cut.
  from.setNoDelay(true).on('data', (bytes: Buffer) => void to.write(bytes))
  from.once('end', () => to.end())
  from.on('error', () => undefined)
  from.once('close', () => {
    sockets.delete(from)
    to.destroy()
  })
  if (isCut) from.pause()
}
