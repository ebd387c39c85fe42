import type { Environment } from '../../config/settings.ts'
import { error, type Finding, ok, warning } from './finding.ts'
import { duration } from './quantities.ts'

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
export function checkClock(facts: ClockFacts): Finding[] {
  const { nowMs } = facts
  const now = instant(nowMs)
  if (nowMs < sane.fromMs || nowMs > sane.toMs) {
    return [
      error('clock', `The clock says ${now}, which cannot be. Set it, and run a time service.`),
    ]
  }
  return [checkNewest(facts), checkServer(facts)]
    .filter((finding) => finding !== undefined)
    .concat(
      ok(
        'clock',
        `The clock says ${now}. Whether it drifts cannot be told without a network: run a time service.`,
      ),
    )
}

function checkNewest({ nowMs, newestMs, environment }: ClockFacts): Finding | undefined {
  const aheadMs = (newestMs ?? nowMs) - nowMs
  if (newestMs === undefined || aheadMs <= toleratedMs) return undefined
  // Staging may be served with --now.
  const raise = aheadMs > seriousMs && environment === 'production' ? error : warning
  return raise(
    'newestRow',
    `The newest row of the store is from ${instant(newestMs)}, ${duration(aheadMs)} ahead of the clock: the clock is slow or was set back, and holds and keys expire late. Set the clock.`,
  )
}

function checkServer({ nowMs, server }: ClockFacts): Finding | undefined {
  if (server === undefined) return undefined
  const differenceMs = Math.abs(server.nowMs - nowMs) - server.askedForMs
  if (differenceMs <= toleratedMs) return undefined
  const raise = differenceMs > seriousMs ? error : warning
  return raise(
    'serverClock',
    `The clock of PostgreSQL differs by ${duration(differenceMs)} from that of this machine. Run a time service on both.`,
  )
}

function instant(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : `${ms} ms`
}
