// Loaded into npm: ends it with the process that started it, and where it reaches no registry; says how much it has received.

import { Socket } from 'node:net'

/** From the first attempt to connect; with the starts of two processes before it, less than five seconds. */
const unreachedMaxMs = 2_500
/** Where it was refused: npm would repeat it after ten seconds. */
const refusedMaxMs = 1_500
const tickMs = 250

// What npm starts is not watched.
process.env.NODE_OPTIONS = process.env.NODE_OPTIONS.replace(`--import=${import.meta.url}`, '')

process.stdin.on('error', end).on('close', end).resume()
process.stdin.unref()

function end() {
  // Else npm calls it a defect of its own.
  process.removeAllListeners('exit')
  process.exit(1)
}

const sockets = []
let firstMs = 0
let isReached = false
let refusal

const { connect } = Socket.prototype
Socket.prototype.connect = function (...args) {
  firstMs ||= performance.now()
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
  const maxMs = refusal === undefined ? unreachedMaxMs : refusedMaxMs
  if (sockets.length === 0 || performance.now() < firstMs + maxMs) return
  console.error(`npm has reached no registry: ${refusal ?? `no answer within ${maxMs} ms`}`)
  end()
}, tickMs)
timer.unref()
