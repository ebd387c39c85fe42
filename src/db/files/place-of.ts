import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The real path of a database, which may be missing. */
export function placeOf(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()
  return isLink ? resolve(dirname(path), readlinkSync(path)) : resolve(path)
}
