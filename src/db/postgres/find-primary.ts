import { type Host, nameOfHost, type PostgresAddress } from './address.ts'
import { repairOf } from './failures.ts'
import { endSession, openSession, type Session, type Timeline } from './session.ts'

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

/** What a look at all hosts has found. */
type Found = {
  session: Session
  /** Resolves once no host is asked any more. */
  over: Promise<unknown>
}

/**
 * Asks all hosts at once, and opens a session on the primary with the newest timeline. A host with an older one than
 * `newest` was deposed, even if it still accepts writes. Throws `NoPrimary`.
 */
export async function findPrimary(
  address: PostgresAddress,
  newest?: Timeline,
  othersMs = othersMaxMs,
): Promise<Found> {
  const reasons = new Map<Host, unknown>()
  const found: Session[] = []
  const patience = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  async function ask(host: Host) {
    try {
      const session = await openSession(address, host, { application_name: 'petstore' })
      if (isOver) return endSession(session.client)
      found.push(session)
      requireNewest(session, newest)
      timer ??= setTimeout(patience.resolve, othersMs)
    } catch (error) {
      reasons.set(host, error)
    }
  }

  const over = Promise.all(address.hosts.map(ask))
  await Promise.race([over, patience.promise])
  clearTimeout(timer)
  isOver = true
  const [best] = found
    .filter(({ host }) => !reasons.has(host))
    .toSorted((a, b) => (isOlder(a.timeline, b.timeline) ? 1 : -1))
  for (const { client } of found) if (client !== best?.client) endSession(client)
  if (best === undefined) throw new NoPrimary(reasons)
  return { session: best, over }
}

/** Throws for a host whose standby was promoted. */
export function requireNewest({ timeline }: Session, newest: Timeline | undefined): void {
  if (!isOlder(timeline, newest)) return
  throw new Error(
    `it is on timeline ${timeline?.number}, and ${newest?.number} was seen: it is no longer the primary`,
  )
}

/** Servers that are no copies of each other have unrelated timelines. */
export function isOlder(timeline: Timeline | undefined, than: Timeline | undefined): boolean {
  if (timeline === undefined || than === undefined) return false
  return timeline.system === than.system && timeline.number < than.number
}
