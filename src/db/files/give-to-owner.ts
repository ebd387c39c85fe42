import { chmodSync, chownSync, statSync } from 'node:fs'

/** Gives a new side file the owner and the permissions of its database: a command of root must not lock out the service. */
export function giveToOwnerOf(path: string, sideFile: string): void {
  const { mode, uid, gid } = statSync(path)
  chmodSync(sideFile, mode & 0o666)
  if (process.getuid?.() === 0) chownSync(sideFile, uid, gid)
}
