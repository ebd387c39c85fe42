import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The state of Node's server for a connection, which its types do not show: the same in Node 24 and 26. A Node without it
 * limits no pipelined requests.
 */
type Internals = {
  /** `onIncoming` is called with each request, once its headers are there; what it returns goes to llhttp. */
  parser?: { onIncoming?(request: IncomingMessage, isKeptAlive: boolean): number }
  _paused: boolean
  _bytesDispatched?: number
  _handle?: { writeQueueSize?: number } | null
}
type Counted = { _onPendingData?(bytes: number): void }

/** llhttp's HPE_PAUSED: parsing ends behind the headers of a request, before its body. */
const pausedCode = 21

/**
 * More than a connection's high-water mark. Node reads nothing from a connection while this much waits to be sent on
 * it; Node would end a pause of ours.
 */
const pauseBytes = 2 ** 30

/**
 * Stops the parser of a new connection behind each request after which `isPaused`. Node then emits `clientError` with
 * HPE_PAUSED and the bytes that follow; without it the parser makes requests of all 64 KiB that were read at once. Returns
 * whether this Node can.
 */
export function stopParserWhere(socket: Socket, isPaused: () => boolean): boolean {
  const { parser } = socket as unknown as Internals
  const onIncoming = parser?.onIncoming
  if (!parser || !onIncoming) return false
  parser.onIncoming = (request, isKeptAlive) => {
    const result = onIncoming(request, isKeptAlive)
    return isPaused() ? pausedCode : result
  }
  return true
}

/** Reads nothing from the connection of this response until `resumeReading`. Returns whether this Node can. */
export function pauseReading(socket: Socket, response: ServerResponse): boolean {
  const counted = response as unknown as Counted
  if (!counted._onPendingData) return false
  counted._onPendingData(pauseBytes)
  ;(socket as unknown as Internals)._paused = true
  socket.pause()
  return true
}

/** Parses what was read before the pause, and continues reading. */
export function resumeReading(
  socket: Socket,
  response: ServerResponse,
  unparsed: Buffer | undefined,
): void {
  ;(response as unknown as Counted)._onPendingData?.(-pauseBytes)
  // Also when it is empty: a request without a body is complete only then.
  if (unparsed) socket.emit('data', unparsed)
}

/** How many bytes the kernel has taken. */
export function movedBytes(socket: Socket): number {
  const { _bytesDispatched = 0, _handle } = socket as unknown as Internals
  return _bytesDispatched - (_handle?.writeQueueSize ?? 0)
}
