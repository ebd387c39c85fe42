import { chmodSync, chownSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Gives a new file the owner and the permissions of the database that it belongs to or replaces, or the owner of the folder: a
 * command of root must not lock out the service.
 */
export function giveToOwnerOf(path: string, file: string): void {
  const database = statSync(path, { throwIfNoEntry: false })
  if (database) chmodSync(file, database.mode & 0o666)
  if (process.getuid?.() !== 0) return
  const { uid, gid } = database ?? statSync(dirname(path))
  chownSync(file, uid, gid)
}
