import { Unavailable } from './errors.ts'

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
