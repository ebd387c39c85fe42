// Loaded into npm: ends it with its parent, or if it reaches no registry, and reports how much it has received.

import { Socket } from 'node:net'

const tickMs = 250
/**
 * In ticks from the first attempt to connect: 2.5 s. A busy npm, or a busy machine, delays the ticks as it delays the
 * connections.
 */
const unreachedMax = 10
/** After a refused connection: npm would retry after ten seconds. */
const refusedMax = 6

// What npm starts is not watched.
process.env.NODE_OPTIONS = process.env.NODE_OPTIONS.replace(`--import=${import.meta.url}`, '')

process.stdin.on('error', end).on('close', end).resume()
process.stdin.unref()

function end() {
  // Otherwise npm reports a defect of its own.
  process.removeAllListeners('exit')
  process.exit(1)
}

const sockets = []
let ticks = 0
let isReached = false
let refusal

const { connect } = Socket.prototype
Socket.prototype.connect = function (...args) {
  sockets.push(this)
  this.once('connect', () => (isReached = true))
  this.on('error', ({ code, message }) => (refusal = message || code))
  return connect.apply(this, args)
}

const timer = setInterval(() => {
  if (isReached) {
    const bytes = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
    process.stdout.write(`received ${bytes}\n`)
    return
  }
  if (sockets.length === 0) return
  ticks += 1
  if (ticks <= (refusal === undefined ? unreachedMax : refusedMax)) return
  console.error(`npm has reached no registry: ${refusal ?? 'no connection was accepted'}`)
  end()
}, tickMs)
timer.unref()
