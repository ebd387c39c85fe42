import type { Config } from '../../config/config.ts'
import type { Environment } from '../../config/settings.ts'
import { isInMemory } from '../../db/open.ts'
import { checkLibrary } from '../../db/sqlite/check-library.ts'
import { describeFewFiles } from '../../http/protocol/open-files.ts'
import type { Checks } from './finding.ts'
import { duration, isLoopback } from './quantities.ts'

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

  corsOrigins: ({ config }) =>
    isProduction(config) &&
    config.corsOrigins.includes('*') && {
      warning:
        'PETSTORE_CORS_ORIGINS is *: pages of every origin may use the interface. Name the origins that you trust.',
    },

  logLevel: ({ config: { logLevel } }) =>
    (logLevel === 'silent' || logLevel === 'fatal') && {
      warning: `PETSTORE_LOG_LEVEL is ${logLevel}: failures leave no line in the log. Set it to error, or to info.`,
    },
}

function isProduction({ environment }: Pick<Config, 'environment'>): boolean {
  return environment === 'production'
}

type ClockFacts = {
  environment: Environment
  nowMs: number
  /** The newest instant in the store. */
  newestMs?: number | undefined
  /** PostgreSQL's clock, and how long it took to ask. */
  server?: { nowMs: number; askedForMs: number } | undefined
}

/** The program is newer than this, and will not be in use after that. */
const sane = { fromMs: Date.UTC(2026, 0), toMs: Date.UTC(2100, 0) }
/** Clocks of a fleet that has a time service differ by less. */
const toleratedMs = 2_000
const seriousMs = 60_000

/** The clock decides when holds end, and when keys and idempotency keys expire. */
export const clockChecks: Checks<ClockFacts> = {
  newestRow(facts) {
    const { nowMs, newestMs = nowMs } = facts
    const aheadMs = newestMs - nowMs
    if (!isSane(nowMs) || aheadMs <= toleratedMs) return false
    // Staging may be served with --now.
    const isSerious = aheadMs > seriousMs && isProduction(facts)
    return {
      [isSerious ? 'error' : 'warning']:
        `The newest row of the store is from ${instant(newestMs)}, ${duration(aheadMs)} ahead of the clock: the clock is slow or was set back, and holds and keys expire late. Set the clock.`,
    }
  },

  serverClock({ nowMs, server }) {
    const differenceMs = server ? Math.abs(server.nowMs - nowMs) - server.askedForMs : 0
    if (!isSane(nowMs) || differenceMs <= toleratedMs) return false
    return {
      [differenceMs > seriousMs ? 'error' : 'warning']:
        `The clock of PostgreSQL differs by ${duration(differenceMs)} from that of this machine. Run a time service on both.`,
    }
  },

  clock: ({ nowMs }) =>
    isSane(nowMs)
      ? {
          ok: `The clock says ${instant(nowMs)}. Whether it drifts cannot be told without a network: run a time service.`,
        }
      : {
          error: `The clock says ${instant(nowMs)}, which cannot be. Set it, and run a time service.`,
        },
}

function isSane(ms: number): boolean {
  return ms >= sane.fromMs && ms <= sane.toMs
}

function instant(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : `${ms} ms`
}
