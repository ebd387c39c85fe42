import { Readable } from 'node:stream'

/** What is written to a connection at once: only a whole write shows that a slow client still reads. */
export const pieceBytes = 16_384

/** A body as a stream of pieces. */
export function inPieces(body: Buffer): Readable {
  let start = 0
  return new Readable({
    read() {
      this.push(start < body.length ? body.subarray(start, start + pieceBytes) : null)
      start += pieceBytes
    },
  })
}

/** Adds a chunk to a stream in pieces. */
export function pushPieces(stream: Readable, chunk: string | Uint8Array): void {
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
  // An empty chunk too: without a push the stream would not read on.
  stream.push(bytes.subarray(0, pieceBytes))
  for (let start = pieceBytes; start < bytes.length; start += pieceBytes)
    stream.push(bytes.subarray(start, start + pieceBytes))
}
