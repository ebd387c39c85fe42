import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TakeSlice } from '../../context/slices.ts'
import type { ReceivedBytes, ReceivedStream } from '../../contract/content.ts'
import type { BodyContent } from '../../contract/operation.ts'
import { bodyTooLarge } from './body.ts'

/** What of a streamed body is handed on at once. */
const pieceBytes = 8_192

/** Compiles the reading of a body that has no schema: its bytes, or the stream of them. */
export function compileReceive(
  { mediaTypes: [preferred = ''], sizeMaxBytes, isStreamed }: BodyContent,
  takeSlice: TakeSlice,
) {
  return (request: FastifyRequest, reply: FastifyReply): ReceivedStream | ReceivedBytes => {
    const { raw, body } = request
    const mediaType = sentType(raw.rawHeaders) ?? preferred
    if (!isStreamed) return { mediaType, bytes: (body as Buffer | undefined) ?? Buffer.alloc(0) }
    const signal = endedSignal(request, reply)
    const turn = () => takeSlice(request.caller?.keyId)
    return { mediaType, chunks: chunksOf(raw, sizeMaxBytes, turn), signal }
  }
}

/** The media type as it was sent: the route has replaced the header. */
function sentType(rawHeaders: readonly string[]): string | undefined {
  const index = rawHeaders.findIndex((name, at) => at % 2 === 0 && /^content-type$/i.test(name))
  return rawHeaders[index + 1]?.split(';', 1)[0]?.trim().toLowerCase()
}

/** The bytes of a body, each piece in a slice of its own. Throws `body_too_large` in place of what is beyond the maximum. */
async function* chunksOf(
  request: FastifyRequest['raw'],
  sizeMaxBytes: number,
  turn: () => Promise<void>,
) {
  let sizeBytes = 0
  // The connection is needed for the response, whether or not the verb has read all.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    sizeBytes += chunk.length
    if (sizeBytes > sizeMaxBytes) throw bodyTooLarge(sizeMaxBytes)
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      await turn()
      yield (chunk as Buffer).subarray(start, start + pieceBytes)
    }
  }
}

/**
 * Aborted once the response is sent, or its client has left. A client that closes its side before the response
 * begins counts as gone: otherwise long work would go on to its end.
 */
export function endedSignal(
  { raw: { socket } }: FastifyRequest,
  { raw }: FastifyReply,
): AbortSignal {
  const ended = new AbortController()
  const leave = () => {
    if (!raw.headersSent) ended.abort()
  }
  socket.once('end', leave)
  raw.once('close', () => {
    socket.off('end', leave)
    ended.abort()
  })
  return ended.signal
}
