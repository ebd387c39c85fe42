import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../contract/service-error.ts'
import { pause } from './apply-faults.ts'

const waitMaxSeconds = 600
/** Each holds a connection, of which there are a limited number for all clients. */
const waitingMax = 100

/**
 * The waits that `Prefer: wait` asks for, which any key can. One ends when the client goes away, so that it holds nothing any
 * more; its request is performed then.
 */
export function createWaits(stopping: AbortSignal) {
  let waiting = 0

  /** Throws `unavailable` if too many wait already. */
  return async function waitFor(seconds: number, { raw }: FastifyRequest): Promise<void> {
    if (waiting >= waitingMax) {
      throw new ServiceError(
        'unavailable',
        `${waitingMax} requests wait already, since Prefer asked for it. Send this one again later, or without wait.`,
      )
    }
    const { socket } = raw
    const gone = new AbortController()
    const leave = () => gone.abort()
    // Any number of pipelined requests may wait on it. A client that destroys its connection only ends its side of it.
    socket.setMaxListeners(0).once('end', leave).once('close', leave)
    waiting += 1
    const ms = Math.min(seconds, waitMaxSeconds) * 1_000
    await pause(ms, AbortSignal.any([stopping, gone.signal]))
    waiting -= 1
    socket.off('end', leave).off('close', leave)
  }
}
