/** A 64-bit integer: a number where that is safe, else a `bigint`. Answers have that form; both are taken. */
export type Int64 = number | bigint

/** What the client has to know of an operation. */
export type Operation = {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base address, with the names of ids in braces. */
  path: string
  /** It takes an `Idempotency-Key`. */
  isKeyed?: true
  /** It needs no API key. */
  isOpen?: true
  /** It sends a file, which is read while it arrives. */
  isFile?: true
  /** It sends a file, which is read to its end. */
  isBlob?: true
  /** What it sends, where that is not JSON. */
  accept?: string
  /** What to use in place of a deprecated operation. */
  advice?: string
}

/** The parts of one request. */
export type Input = {
  /** Of the path, in its order. */
  ids?: readonly Int64[]
  query?: Record<string, unknown>
  body?: unknown
  /** A file, of the type that the options name, or its own. */
  file?: Uint8Array<ArrayBuffer> | Blob
}

/** A file to send, which is read to its end first. */
export type FileBody = string | Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

export type RequestOptions = {
  /** Aborts the call, retries included; it rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** How long one attempt may take. */
  timeoutMs?: number | undefined
  /** How often a failed request is sent again. */
  maxRetries?: number | undefined
  /** Further headers of the request. */
  headers?: Record<string, string> | undefined
  /** Whether the answer says what the key may do, in `scopes`. */
  scopes?: boolean | undefined
}

export type CreateOptions = RequestOptions & {
  /** Where none is given, the client makes one: the request has one effect, however often it is sent. */
  idempotencyKey?: string | undefined
}

export type ChangeOptions = RequestOptions & {
  /** The `etag` of the record as it was read: the change is made only where it has not changed since, else 412. */
  ifMatch?: string | undefined
}

export type ReplaceOptions = ChangeOptions & {
  /** `*`: the change is made only where there is no record yet, else 412. */
  ifNoneMatch?: '*' | undefined
}

export type ReadOptions = RequestOptions & {
  /** The `etag` of the record as it was read: where it has not changed, the result is `undefined`. */
  ifNoneMatch?: string | undefined
}

export type ListOptions = RequestOptions & {
  /** Whether the first page says how many records match, in `total`. */
  count?: boolean | undefined
}

export type ExportOptions = RequestOptions & {
  /** `csv` when absent. */
  format?: 'csv' | 'ndjson' | undefined
}

export type AnyOptions = CreateOptions &
  ChangeOptions &
  ReadOptions &
  ListOptions &
  ExportOptions & { type?: string | undefined }
