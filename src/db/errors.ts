import { ExpectedError } from '../contract/expected-error.ts'

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

/** The error for a store or a file that is damaged, or is none. */
export const damagedError = (message: string, cause?: unknown) =>
  new OpenError('damaged', message, cause)

/** The error for a database that is not what was asked for, or not to be used now. */
export const configurationError = (message: string, cause?: unknown) =>
  new OpenError('configuration', message, cause)

/** The database cannot do this now. The message is for the caller, `cause` for the log. */
export class Unavailable extends Error {
  override name = 'Unavailable'
}

/** The errors of a database that is unavailable; `cause` is for the log. */
export const unavailable = {
  reading: (cause: unknown) => refuse('The database cannot be read now. Try again later.', cause),
  storing: (cause: unknown) =>
    refuse('The database cannot store this now. Nothing was stored; try again later.', cause),
  /** An error on commit means unknown, not no. */
  unknown: (cause: unknown) =>
    refuse(
      'The database failed while this was being stored: it is stored or it is not. Look before you repeat it.',
      cause,
    ),
}

function refuse(message: string, cause: unknown): Unavailable {
  return new Unavailable(message, { cause })
}

/** Thrown by a transaction: it is rolled back, and the caller gets `code`, `message` and `details`, which are plain data. */
export class Refusal extends ExpectedError {
  override name = 'Refusal'
  readonly code: string
  readonly details: unknown

  constructor(code: string, message: string, details?: unknown) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** Throws what `explain` makes of an error of the work. */
export async function explaining<T>(
  work: () => Promise<T> | T,
  explain: (error: unknown) => unknown,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explain(error)
  }
}

/** A lock wait timed out; the transaction was rolled back. */
export class LockTimeout extends Error {
  override name = 'LockTimeout'
}
