import { readFileSync } from 'node:fs'

/** The maximum of connections beyond the maximum that are read. */
export const extraConnectionsMax = 64
/** Open files besides connections: the database, its threads, the log. Some 35 are in use. */
const otherFilesMax = 64

/**
 * Returns a sentence for the operator where this process may open fewer files than `connectionsMax` connections need;
 * connections beyond the limit are closed without a response. Knows the limit on Linux only.
 */
export function describeFewFiles(
  connectionsMax: number,
  limitsPath = '/proc/self/limits',
): string | undefined {
  const limit = openFilesMax(limitsPath)
  const needed = connectionsMax + extraConnectionsMax + otherFilesMax
  if (limit === undefined || limit >= needed) return undefined
  const connections = limit - extraConnectionsMax - otherFilesMax
  const lower = connections > 0 ? `, or set PETSTORE_CONNECTIONS_MAX to ${connections} or less` : ''
  return `This process may open ${limit} files, too few for ${connectionsMax} connections (PETSTORE_CONNECTIONS_MAX). Raise the limit (ulimit -n) to ${needed} or more${lower}.`
}

/** The soft limit, which Node has raised to the hard one. `undefined` where it is unknown or unlimited. */
function openFilesMax(limitsPath: string): number | undefined {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync(limitsPath, 'latin1'))?.[1]
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}
