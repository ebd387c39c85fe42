import { explaining, OpenError } from '../errors.ts'
import { failureOf } from './failures.ts'

const damaged = [
  'damaged',
  'is damaged or is not a SQLite database',
  ' Nothing was changed.',
] as const
const unwritable = ['noPermission', 'cannot be written'] as const
const failing = ['ioError', 'cannot be opened, the disk fails or is full'] as const

/** What a failure of the database means for those who open it. */
const meanings = {
  damaged,
  notADatabase: damaged,
  readonly: unwritable,
  cantOpen: unwritable,
  io: failing,
  full: failing,
  busy: ['alreadyServed', 'is in use by another process'],
} as const

/** Maps a failure of the database to an OpenError with one sentence; other errors are returned unchanged. */
export function explainOpening(path: string, error: unknown): Error {
  const failure = failureOf(error)
  if (!(error instanceof Error)) return new Error(String(error))
  if (failure === undefined) return error
  const [reason, meaning, end = ''] = meanings[failure]
  return new OpenError(reason, `${path} ${meaning}: ${error.message}.${end}`, error)
}

/** Throws what `explainOpening` makes of an error of the work. */
export function explained<T>(path: string, work: () => Promise<T> | T): Promise<T> {
  return explaining(work, (error) => explainOpening(path, error))
}
