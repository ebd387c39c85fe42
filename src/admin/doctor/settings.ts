import type { Config } from '../../config/config.ts'
import { isLoopback } from '../../config/is-loopback.ts'
import { describeFewFiles } from '../../config/open-files.ts'
import { isInMemory } from '../../db/open.ts'
import type { Checks } from './finding.ts'

type SettingsFacts = {
  config: Config
  /** Those of unknown names. */
  warnings: readonly string[]
  /** Linux's file with the limits of this process. */
  limitsPath?: string
}

/** Valid settings that are probably mistakes. */
export const settingsChecks: Checks<SettingsFacts> = {
  openFiles({ config: { connectionsMax }, limitsPath }) {
    const problem = describeFewFiles(connectionsMax, limitsPath)
    if (problem !== undefined) return { warning: problem }
    return { ok: `This process may open enough files for ${connectionsMax} connections.` }
  },

  names: ({ warnings }) =>
    warnings.map((sentence) => ({ warning: `${sentence} Correct or remove it.` })),

  database: ({ config: { environment, database } }) =>
    environment === 'production' &&
    isInMemory(database) && {
      error:
        'The production store is in memory: all data is gone when the service stops. Set PETSTORE_DATABASE to a file or to PostgreSQL.',
    },

  publicUrl({ config: { environment, host, publicUrl } }) {
    const isLocal = isLoopback(publicUrl === undefined ? host : new URL(publicUrl).hostname)
    const isSafe = isLocal || publicUrl?.startsWith('https:')
    if (environment !== 'production' || isSafe) return false
    const problem =
      publicUrl === undefined
        ? `The service listens on ${host} without TLS, and PETSTORE_PUBLIC_URL is not set: links have the host of the request, with http`
        : `PETSTORE_PUBLIC_URL is ${publicUrl}: clients send their keys without TLS`
    return { warning: `${problem}. Put a proxy with TLS in front, and set its https address.` }
  },
}
