import { constants, lstatSync, openSync } from 'node:fs'
import { damagedError, OpenError } from '../errors.ts'

/** Windows does not have these flags. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/**
 * Opens a file beside a database; `undefined` where there is none. A link, a pipe, a device or a directory is not opened:
 * reading it might never end. Throws OpenError.
 */
export function openRegular(path: string, flags: number = constants.O_RDONLY): number | undefined {
  if (!isRegular(path)) return undefined
  try {
    return openSync(path, flags | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const { message } = error as Error
    throw new OpenError('noPermission', `${path} cannot be opened: ${message}`, error)
  }
}

/** Whether there is a file at a path beside a database. Throws `damaged` where something else is. */
export function isRegular(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found && !found.isFile()) {
    throw damagedError(`${path} is not a file. Nothing was changed; move it away.`)
  }
  return found !== undefined
}
