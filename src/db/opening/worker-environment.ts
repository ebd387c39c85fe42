import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/** A worker uses the compile cache only through its environment; without it, it strips types and compiles again. */
export function workerEnvironment(): Record<string, string> {
  const directory = getCompileCacheDir()
  // Its last folder names the Node version; Node appends it.
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) }
}
