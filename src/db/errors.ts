/** Why a database cannot be opened. */
type OpenReason =
  | 'alreadyServed'
  | 'configuration'
  | 'damaged'
  | 'ioError'
  | 'missingDirectory'
  | 'newerSchema'
  | 'noPermission'

/** A database cannot be opened, or not be used as it is. The message says what is wrong and where. */
export class OpenError extends Error {
  override name = 'OpenError'
  readonly reason: OpenReason

  constructor(reason: OpenReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** The database cannot do this now. The message is for the caller, `cause` for the log. */
export class Unavailable extends Error {
  override name = 'Unavailable'
}

/** Thrown by a transaction: it is rolled back, and the caller gets `code` and `message`. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** A lock wait timed out; the transaction was rolled back. */
export class LockTimeout extends Error {
  override name = 'LockTimeout'
}
