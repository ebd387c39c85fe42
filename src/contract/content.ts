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
  /** When the bytes were stored; milliseconds since 1970. */
  modifiedAt?: number
  /** The bytes from `start` to before `end`. The source ends at the signal, when the client leaves. */
  read(start: number, end: number, signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** Why a row of a file is refused. */
export type RowProblem = { line: number; column?: string; code: string; detail: string }

/** A row of a file that its schema allows, by members; or its problems. */
export type SheetRow =
  | { line: number; values: Record<string, unknown> }
  | { line: number; problems: readonly RowProblem[] }

/** A column that is no member, and the member that it may be meant for. */
export type IgnoredColumn = { column: string; nearest?: string }

/**
 * Which columns of a file are which members: `COLUMN:MEMBER`, separated by commas, and the members that no column is; and what
 * rows have where they name nothing else.
 */
export type Matching = {
  columns: string | undefined
  ignored: readonly string[]
  defaults?: Readonly<Record<string, string | undefined>>
}

/** A file of rows. */
export type ReceivedSheet = {
  rows: readonly SheetRow[]
  ignored: readonly IgnoredColumn[]
  /** These rows, by their index, as CSV: as they came, with what is wrong with each in front. */
  write(rows: readonly (readonly [index: number, error: string])[]): string
}

/** A body that has no schema, and its media type where one was sent. */
export type ReceivedBytes = { mediaType: string | undefined; bytes: Buffer }
