import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'

const name = 'petstore-service'

/**
 * The folder of this user for what can be fetched or compiled again: where the platform keeps such things or, without a
 * home that can be written, a private folder among the temporary ones. Undefined where there is none.
 */
export function cacheFolder() {
  return [...usual(), temporary()].find(isUsable)
}

function usual() {
  const { XDG_CACHE_HOME: xdg = '', LOCALAPPDATA: local = '' } = process.env
  if (isAbsolute(xdg)) return [join(xdg, name)]
  if (process.platform === 'win32' && isAbsolute(local)) return [join(local, name, 'Cache')]
  const below = process.platform === 'darwin' ? 'Library/Caches' : '.cache'
  try {
    return [join(homedir(), below, name)]
  } catch {
    return []
  }
}

function temporary() {
  return join(tmpdir(), `${name}-${process.getuid?.() ?? 'cache'}`)
}

/** A program is started from here: nobody else may own or write the folder. */
function isUsable(path) {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const { mode, uid } = lstatSync(path)
    accessSync(path, constants.W_OK)
    if (process.getuid === undefined) return true
    return uid === process.getuid() && (mode & 0o022) === 0
  } catch {
    return false
  }
}
