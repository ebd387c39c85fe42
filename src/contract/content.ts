/**
 * A body that is sent while it is made; its source is read no faster than the client reads. The source ends at the signal:
 * when the client leaves, and an endless one when the service stops. What it then still yields is sent, if anybody reads.
 * The headers are sent with the first chunk.
 */
export type StreamContent = (signal: AbortSignal) => AsyncIterable<string | Uint8Array>

/** Constant bytes of known size. */
export type FileContent = {
  mediaType: string
  sizeBytes: number
  /** Letters and digits that differ whenever the bytes do. */
  tag: string
  /** The bytes from `start` to before `end`. The source ends at the signal, when the client leaves. */
  read(start: number, end: number, signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** A body that is read while it arrives. Reading more than the maximum throws `body_too_large`. */
export type ReceivedStream = { mediaType: string; chunks: AsyncIterable<Uint8Array> }

/** A body that has no schema. */
export type ReceivedBytes = { mediaType: string; bytes: Uint8Array }
