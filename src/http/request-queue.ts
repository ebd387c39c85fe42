import type { FastifyReply, FastifyRequest } from 'fastify'
import { KeyLine } from '../context/key-line.ts'
import type { Share } from '../context/share.ts'
import type { Operation } from '../contract/operation.ts'
import { ServiceError } from '../contract/service-error.ts'
import { performance, timers } from '../timers.ts'
import { callerOf } from './authenticate.ts'

/** The most requests in progress. More would take no more work off the database, and delay each other. */
const runningMax = 256
/** The most requests in line; beyond it the oldest of the key with most in line is refused. */
const lineMax = 1_000

/** In a turn of the event loop that has lasted so long, no further request begins: one may take milliseconds. */
const turnMaxMs = 20

/** A request in line. One whose client has gone is refused. */
type Waiting = { begin(): void; refuse(): void; isGone(): boolean }

export type RequestQueue = ReturnType<typeof createRequestQueue>

/**
 * Limits the requests in progress. A request with a valid key is
 * - arriving, until its body is there. It has no place yet, so a slow body holds up no other request;
 * - in progress, while there is a place: `enter` took it, `leave` gives it back when the response is handed to the connection;
 * - in line otherwise: one line, from which the keys are taken in turn;
 * - refused, where the line is full: the oldest of the key with most in line.
 */
export function createRequestQueue() {
  const line = new KeyLine<Waiting>()
  let running = 0
  let waited = 0
  let isHeld = false
  let turnBeganMs: number | undefined

  function startTurn(): number {
    if (turnBeganMs === undefined) {
      turnBeganMs = performance.now()
      // In the next turn, so that what other keys have sent meanwhile is in line.
      timers.setImmediate(beginWaiting)
    }
    return turnBeganMs
  }

  function hasRoom(): boolean {
    return running < runningMax && !isHeld && performance.now() - startTurn() < turnMaxMs
  }

  function beginWaiting() {
    turnBeganMs = undefined
    while (line.size > 0 && hasRoom()) {
      const next = line.take()
      if (next?.isGone()) next.refuse()
      else {
        running += 1
        next?.begin()
      }
    }
  }

  return {
    /** Takes a place. Returns false where none is free: then the request has to `wait`. */
    enter(): boolean {
      if (line.size > 0 || !hasRoom()) return false
      running += 1
      return true
    },

    /** Calls `begin` once the request has a place, or `refuse`. */
    wait(keyId: bigint, waiting: Waiting): void {
      waited += 1
      line.add(keyId, waiting)
      if (running + line.size > runningMax + lineMax) line.takeOfLongest()?.refuse()
    },

    /** Gives a place back. */
    leave(): void {
      running -= 1
      if (line.size > 0) startTurn()
    },

    /** How many requests are in progress. */
    running: () => running,

    /** How many requests have been in line so far. */
    waited: () => waited,

    /** Begins no further request until `release`. */
    hold(): void {
      isHeld = true
    },

    release(): void {
      isHeld = false
      startTurn()
    },
  }
}

/** What requests wait for, and count in. */
export type Turns = {
  queue: RequestQueue
  /** How much long work each key has in progress: streams without an end; files that are sent; files that are received. */
  shares: { streams: Share; files: Share; uploads: Share }
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => void

/** Handles each request once it has a place, or counts in the share of its key; without a key at once. */
export function handleInTurn(
  { scope, isEndless, isDownload, isUploaded }: Operation,
  { queue, shares }: Turns,
  handle: (...input: [...Parameters<Handle>, end?: () => void]) => Promise<void>,
): Handle {
  if (scope === 'public') return (request, reply) => void handle(request, reply)
  if (isEndless) return handleInShare(shares.streams, handle)
  if (isDownload || isUploaded) return handleInShare(shares.files, handle)
  return (request, reply) => {
    if (queue.enter()) return void handle(request, reply, queue.leave)
    queue.wait(callerOf(request).keyId, {
      begin: () => void handle(request, reply, queue.leave),
      refuse: () => void reply.send(tooManyInLine),
      isGone: () => request.raw.socket.destroyed,
    })
  }
}

function handleInShare(share: Share, handle: Handle): Handle {
  return (request, reply) => {
    takeShare(share, request, reply)
    handle(request, reply)
  }
}

/** Counts a request in the share of its key until its response has ended. Throws `unavailable`. */
export function takeShare(share: Share, request: FastifyRequest, reply: FastifyReply): void {
  const { keyId } = callerOf(request)
  if (reply.raw.destroyed || !share.take(keyId)) throw tooManyInShare
  reply.raw.once('close', () => share.giveBack(keyId))
}

const tooManyInLine = new ServiceError(
  'unavailable',
  'Too many requests of this API key wait to begin. Nothing was stored; try again later, with fewer at a time.',
)

const tooManyInShare = new ServiceError(
  'unavailable',
  'This API key has a quarter of all streams, files or uploads in progress, or all keys together have all of them. Try again when one of them has ended.',
)
