import type { Config } from '../../config/config.ts'
import { describeFewFiles } from '../../config/open-files.ts'
import { problemWithProcesses } from '../../config/process-count.ts'
import { isInMemory } from '../../db/open.ts'
import { checkLibrary } from '../../db/sqlite/check-library.ts'
import type { Checks } from './finding.ts'
import { isLoopback } from './quantities.ts'

export type ProgramFacts = {
  versions: { petstore: string; node: string; sqlite: string | undefined }
  connectionsMax: number
  /** Linux's file with the limits of this process. */
  limitsPath?: string
}

export const programChecks: Checks<ProgramFacts> = {
  versions({ versions: { petstore, node, sqlite } }) {
    try {
      checkLibrary(sqlite)
    } catch (problem) {
      const { message } = problem as Error
      return { error: `${message} Install the newest Node 26, or let bin/petstore bring it.` }
    }
    return { ok: `petstore ${petstore}, Node ${node}, SQLite ${sqlite}.` }
  },

  openFiles({ connectionsMax, limitsPath }) {
    const problem = describeFewFiles(connectionsMax, limitsPath)
    if (problem !== undefined) return { warning: problem }
    return { ok: `This process may open enough files for ${connectionsMax} connections.` }
  },
}

/** Valid settings that are probably mistakes; `warnings` are those of unknown names. */
export const settingsChecks: Checks<{ config: Config; warnings: readonly string[] }> = {
  environment: ({ config: { environment, host, port } }) => ({
    ok: `This is ${environment}; a start listens on ${host}, port ${port}.`,
  }),

  names: ({ warnings }) =>
    warnings.map((sentence) => ({ warning: `${sentence} Correct or remove it.` })),

  database: ({ config }) =>
    isProduction(config) &&
    isInMemory(config.database) && {
      error:
        'The production store is in memory: all data is gone when the service stops. Set PETSTORE_DATABASE to a file or to PostgreSQL.',
    },

  processes({ config }) {
    const problem = problemWithProcesses(config)
    return problem !== undefined && { error: problem }
  },

  publicUrl({ config }) {
    const { host, publicUrl } = config
    const isLocal = isLoopback(publicUrl === undefined ? host : new URL(publicUrl).hostname)
    if (!isProduction(config) || isLocal || publicUrl?.startsWith('https:')) return false
    const problem =
      publicUrl === undefined
        ? `The service listens on ${host} without TLS, and PETSTORE_PUBLIC_URL is not set: links have the host of the request, with http`
        : `PETSTORE_PUBLIC_URL is ${publicUrl}: clients send their keys without TLS`
    return { warning: `${problem}. Put a proxy with TLS in front, and set its https address.` }
  },
}

function isProduction({ environment }: Pick<Config, 'environment'>): boolean {
  return environment === 'production'
}
