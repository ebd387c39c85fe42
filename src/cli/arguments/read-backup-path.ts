import { usageError } from '../../config/exit-error.ts'

/**
 * The argument FILE. Throws `usage` with this question where it is absent, and for an address, whose password must not be in a
 * message about a file.
 */
export function readBackupPath(file: string | undefined, question: string): string {
  if (file === undefined || file === '') throw usageError(question)
  if (!file.includes('://')) return file
  throw usageError(
    'FILE is the path of a backup, not an address. PETSTORE_DATABASE names the database.',
  )
}
