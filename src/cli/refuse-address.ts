import { usageError } from '../config/exit-error.ts'

/** Throws `usage` for an address where a path is expected. Its password must not be in a message about a file. */
export function refuseAddress(file: string): void {
  if (!file.includes('://')) return
  throw usageError(
    'FILE is the path of a backup, not an address. PETSTORE_DATABASE names the database.',
  )
}
