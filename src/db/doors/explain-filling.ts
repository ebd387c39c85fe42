import { OpenError } from '../errors.ts'
import { failureOf } from '../sqlite/failures.ts'

/** Explains why a file could not be filled; its messages name the file that people know. */
export function explainFilling(
  error: unknown,
  { file, name, action }: { file: string; name: string; action: string },
): unknown {
  if (!(error instanceof Error)) return error
  if (failureOf(error) === 'full' || ('code' in error && error.code === 'ENOSPC')) {
    return new OpenError('ioError', `There is no room to ${action}: ${error.message}.`, error)
  }
  if (!(error instanceof OpenError)) return error
  return new OpenError(error.reason, error.message.replaceAll(file, name), error)
}
