import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { instantMs } from '../deadline.ts'
import type { ServeOptions } from '../open-options.ts'
import { nameOfHost, type PostgresAddress } from './address.ts'
import { findPrimary, isOlder, requireNewest } from './find-primary.ts'
import { connectMaxMs, endSession, type Session } from './session.ts'

/** Pauses between two looks at the hosts: the first one, doubled up to the last one, each shortened by up to a half. */
const pauseMs = { first: 50, last: 500 } as const

type Options = {
  address: PostgresAddress
  /** The session that the start has used. */
  first: Pick<Session, 'host' | 'timeline'>
  name: string
  random: ServeOptions['random']
  warn(sentence: string): void
  /** Called when sessions of the generation may be opened, and when a new one begins. */
  onChange(): void
}

/** Knows which host is the primary, and which of its sessions were given up there. One look at the hosts at a time. */
export function watchPrimary({ address, first, name, random, warn, onChange }: Options) {
  /** Processes of the server that still run a statement whose session was given up. */
  const held = new Set<number>()
  let { host, timeline } = first
  let newest = timeline
  let isKnown = true
  /** Sessions of older generations may be dead, or lead to the wrong server. */
  let generation = 0
  let failure: unknown
  let toldMs: number | undefined
  let isLooking = false
  let isStopped = false
  let pause = new AbortController()

  /** Looks at the hosts until there is a primary which runs no statement that was given up. */
  async function look() {
    pause.abort()
    if (isLooking) return
    isLooking = true
    for (let attempt = 0; !isStopped && (attempt === 0 || !isKnown || held.size > 0); attempt++) {
      pause = new AbortController()
      await lookOnce()
      if (isKnown && held.size === 0) break
      await sleep(pauseBefore(attempt), undefined, { signal: pause.signal, ref: false }).catch(
        () => undefined,
      )
    }
    isLooking = false
  }

  async function lookOnce() {
    try {
      const { session, over } = await findPrimary(address, newest)
      try {
        await dropEnded(session)
        accept(session)
      } finally {
        endSession(session.client)
      }
      if (held.size > 0) await over
    } catch (error) {
      isKnown = false
      failure = error
      if (toldMs === undefined && !isStopped) {
        toldMs = instantMs()
        warn(
          `${name} has no primary now: ${(error as Error).message}. Requests wait for one, or get 503.`,
        )
      }
    }
  }

  async function dropEnded({ client, host: found }: Session) {
    if (held.size === 0) return
    if (found !== host) return held.clear()
    const { rows } = await client.query<{ pid: number }>({
      text: "select pid from pg_stat_activity where pid = any($1) and state = 'active'",
      values: [[...held]],
      query_timeout: connectMaxMs,
    } as pg.QueryConfig)
    const running = new Set(rows.map(({ pid }) => pid))
    for (const pid of held) if (!running.has(pid)) held.delete(pid)
  }

  /** Takes note of the primary that a new session has reached. Throws where it was deposed. */
  function accept(session: Session): void {
    requireNewest(session, newest)
    const isOther = session.host !== host || isOlder(timeline, session.timeline)
    const before = describe({ host, timeline })
    ;({ host, timeline } = session)
    newest = timeline ?? newest
    isKnown = true
    if (isOther) generation += 1
    const tookMs = toldMs === undefined ? undefined : instantMs() - toldMs
    toldMs = undefined
    const after = tookMs === undefined ? '' : `, after ${(tookMs / 1_000).toFixed(1)} s without one`
    if (isOther) warn(`The primary is ${describe(session)} now${after}; it was ${before}.`)
    else if (after) warn(`The primary is ${describe(session)} again${after}.`)
    onChange()
  }

  function pauseBefore(attempt: number): number {
    const longestMs = Math.min(pauseMs.first * 2 ** attempt, pauseMs.last)
    const [chance = 0] = random?.(1) ?? []
    return longestMs * (1 - chance / 512)
  }

  /** Ends this generation, unless it has ended. */
  function distrust(distrusted: number) {
    if (distrusted !== generation) return
    generation += 1
    onChange()
  }

  return {
    host: () => (isKnown ? host : undefined),
    generation: () => generation,
    /** Sessions that the server may still hold. */
    held: () => held.size,
    failure: () => failure,
    accept,
    /** A session broke, or was given up: the server may go on with it, and others may be as dead. */
    giveUp(session: Session, broken: number) {
      if (session.host !== host) return
      held.add(session.pid)
      distrust(broken)
      void look()
    },
    /** The host of this generation refuses writes, or no session can be opened on it. */
    lose(lost: number, error: unknown) {
      if (lost !== generation) return
      isKnown = false
      failure = error
      distrust(lost)
      void look()
    },
    stop() {
      isStopped = true
      pause.abort()
    },
  }
}

function describe({ host, timeline }: Pick<Session, 'host' | 'timeline'>): string {
  return `${nameOfHost(host)}${timeline === undefined ? '' : ` on timeline ${timeline.number}`}`
}
