import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../contract/service-error.ts'
import { pause } from './apply-faults.ts'

const waitMaxSeconds = 600
/** Each wait holds one of the connections that all clients share. */
const waitingMax = 100

/**
 * The waits that `Prefer: wait` asks for; any key can ask. A wait ends early if the client goes away. The request is
 * performed then.
 */
export function createWaits(stopping: AbortSignal) {
  let waiting = 0

  /** Throws `unavailable` if too many wait already. */
  return async function waitFor(seconds: number, { raw }: FastifyRequest): Promise<void> {
    if (waiting >= waitingMax) {
      throw new ServiceError(
        'unavailable',
        `${waitingMax} requests are waiting already, as Prefer asked. Retry later, or without wait.`,
      )
    }
    const { socket } = raw
    const gone = new AbortController()
    const leave = () => gone.abort()
    // Many pipelined requests may wait on one socket. A client that destroys its connection only ends its own side.
    socket.setMaxListeners(0).once('end', leave).once('close', leave)
    waiting += 1
    const ms = Math.min(seconds, waitMaxSeconds) * 1_000
    await pause(ms, AbortSignal.any([stopping, gone.signal]))
    waiting -= 1
    socket.off('end', leave).off('close', leave)
  }
}
