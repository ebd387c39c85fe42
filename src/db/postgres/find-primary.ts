import { sleep, timers } from '../../timers.ts'
import { instantMs } from '../deadline.ts'
import { configurationError, OpenError } from '../errors.ts'
import { type Host, nameOfHost, type PostgresAddress } from './address.ts'
import { repairOf } from './failures.ts'
import {
  connectMaxMs,
  endSession,
  openSession,
  prepareSession,
  type Session,
  type Timeline,
} from './session.ts'

/** How long the other hosts may take to claim a newer timeline, once one host is found to be a primary. */
const othersMaxMs = 500

/** No host is a primary. The message has the reason of each; the cause is the one that an operator can repair, if any. */
export class NoPrimary extends Error {
  override name = 'NoPrimary'
  readonly reasons: readonly unknown[]

  constructor(reasons: ReadonlyMap<Host, unknown>) {
    const sentences = [...reasons].map(([host, error]) => {
      const sentence = describe(error)
      return reasons.size === 1 ? sentence : `${nameOfHost(host)}: ${sentence}`
    })
    const all = [...reasons.values()]
    super(sentences.join('; '), { cause: all.find(repairOf) ?? all.at(-1) })
    this.reasons = all
  }
}

function describe(error: unknown): string {
  const { message, code } = error as Error & { code?: string }
  return message || code || String(error)
}

/**
 * Asks all hosts at once, and opens a session on the primary with the newest timeline; `over` resolves once no host is asked
 * any more. A host with an older timeline than `newest` was deposed, even if it still accepts writes. Throws `NoPrimary`.
 */
export async function findPrimary(
  address: PostgresAddress,
  newest?: Timeline,
  othersMs = othersMaxMs,
): Promise<{ session: Session; over: Promise<unknown> }> {
  const reasons = new Map<Host, unknown>()
  const patience = Promise.withResolvers<void>()
  let best = undefined as Session | undefined
  let isOver = false

  async function ask(host: Host) {
    try {
      const session = await openSession(address, host, { application_name: 'petstore' })
      requireNewest(session, newest)
      const isBest = !isOver && (!best || isOlder(best.timeline, session.timeline))
      if (!isBest) return endSession(session.client)
      if (best) endSession(best.client)
      else timers.setTimeout(patience.resolve, othersMs).unref()
      best = session
    } catch (error) {
      reasons.set(host, error)
    }
  }

  const over = Promise.all(address.hosts.map(ask))
  await Promise.race([over, patience.promise])
  isOver = true
  if (best === undefined) throw new NoPrimary(reasons)
  return { session: best, over }
}

/** Ends a session on a host whose standby was promoted, and throws. */
export function requireNewest({ client, timeline }: Session, newest: Timeline | undefined): void {
  if (!isOlder(timeline, newest)) return
  endSession(client)
  throw new Error(
    `it is on timeline ${timeline?.number}, and ${newest?.number} was seen: it is no longer the primary`,
  )
}

/** Servers that are no copies of each other have unrelated timelines. */
export function isOlder(timeline: Timeline | undefined, than: Timeline | undefined): boolean {
  if (timeline === undefined || than === undefined) return false
  return timeline.system === than.system && timeline.number < than.number
}

/** How long a start retries an absent server. */
const startMaxMs = 10_000
const startDelayMs = 250

/**
 * Connects to the primary without time limits; of several, to the one on the newest timeline. Throws `ioError` when there
 * is none for a while, `noPermission` and `configuration` immediately.
 */
export async function connectToPrimary(
  address: PostgresAddress,
): Promise<Session & { searchPath: string }> {
  const giveUpMs = instantMs() + startMaxMs
  for (;;) {
    try {
      const { session } = await findPrimary(address, undefined, connectMaxMs)
      try {
        await refuseSharedSession(address, session)
        return { ...session, searchPath: await prepareSession(session.client) }
      } catch (error) {
        endSession(session.client)
        throw error
      }
    } catch (error) {
      if (error instanceof OpenError) throw error
      const isPermanent = error instanceof NoPrimary && error.reasons.every(permanentReasonOf)
      if (isPermanent || instantMs() > giveUpMs) throw unreachable(address, error as Error)
    }
    await sleep(startDelayMs)
  }
}

/**
 * Throws `configuration` where a pooler shares the sessions of the server among its clients: another one than ours would
 * get our settings, locks and prepared statements.
 */
async function refuseSharedSession(address: PostgresAddress, session: Session): Promise<void> {
  // Only a pooler gives its clients another number than that of their process.
  if ((session.client as { processID?: number | null }).processID === session.pid) return
  const other = await openSession(address, session.host)
  try {
    const { rows } = await session.client.query('select pg_backend_pid() as pid')
    if (rows[0]?.pid === session.pid && other.pid !== session.pid) return
  } finally {
    endSession(other.client)
  }
  throw configurationError(
    `The pooler at ${nameOfHost(session.host)} shares sessions among its clients, which the service cannot use: it locks, prepares statements and sets limits for a session. Set pool_mode = session for this database.`,
  )
}

/** Errors that no retry resolves: SQLSTATEs of login and database, and Node's codes of certificates. */
const permanent = [
  { reason: 'noPermission', codes: /^28/ },
  { reason: 'configuration', codes: /^(?:3D|CERT_|ERR_TLS_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/ },
] as const

/** The message of `pg`, without a code, where a server refuses TLS. */
const withoutTls = 'The server does not support SSL connections'

function permanentReasonOf(error: unknown) {
  if (error instanceof Error && error.message === withoutTls) return 'configuration'
  const code = String((error as { code?: unknown } | undefined)?.code)
  return permanent.find(({ codes }) => codes.test(code))?.reason
}

function unreachable({ hosts }: PostgresAddress, error: Error): OpenError {
  const names = hosts.map(nameOfHost).join(', ')
  const sentence = error.message.replaceAll(withoutTls, 'it offers no TLS, which sslmode asks for')
  const reason = permanentReasonOf(error instanceof NoPrimary ? error.cause : error)
  return reason
    ? new OpenError(reason, `PostgreSQL at ${names} refuses the connection: ${sentence}.`, error)
    : new OpenError(
        'ioError',
        `No PostgreSQL server that accepts writes responds at ${names}: ${sentence}.`,
        error,
      )
}
