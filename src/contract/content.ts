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
  /** Under which a browser saves it. ASCII, without quotes. */
  name?: string
  /** The bytes from `start` to before `end`. The source ends at the signal, when the client leaves. */
  read(start: number, end: number, signal: AbortSignal): AsyncIterable<Uint8Array>
}

/**
 * A body that is read while it arrives. Reading more than the maximum throws `body_too_large`. The signal is aborted when
 * the client leaves.
 */
export type ReceivedStream = {
  mediaType: string
  chunks: AsyncIterable<Uint8Array>
  signal: AbortSignal
}

/** Why a row of a file is refused. */
export type RowProblem = { line: number; column?: string; code: string; detail: string }

/** A row of a file that its schema allows, by members; or its problems. */
export type SheetRow =
  | { line: number; values: Record<string, unknown> }
  | { line: number; problems: readonly RowProblem[] }

/** A column that is no member, and the member that it may be meant for. */
export type IgnoredColumn = { column: string; nearest?: string }

/** Which columns of a file are which members: `COLUMN:MEMBER`, separated by commas, and the members that no column is. */
export type Matching = { columns: string | undefined; ignored: readonly string[] }

/** The rows of a file that is read while it arrives. What was ignored, and the digest of the file, are known at its end. */
export type ReceivedSheet = {
  rows: AsyncIterable<readonly SheetRow[]>
  ignored(): IgnoredColumn[]
  digest(): Uint8Array
}

/** A body that has no schema. */
export type ReceivedBytes = { mediaType: string; bytes: Uint8Array }
