import { timers } from '../../timers.ts'
import type { Query } from '../db.ts'
import { Damage, type DamagedRow } from '../records/damaged-row.ts'

type AnyQuery = Query<unknown, unknown>

type Reading = PromiseWithResolvers<unknown> & { input: unknown }

/** Runs a query on a connection of the engine, and maps failures to errors for the callers. */
type ReadRunner = <I, O>(query: Query<I, O>, inputs: readonly I[]) => Promise<(O | DamagedRow)[]>

/** The reads of a query that wait, and its runs. */
type Lane = { query: AnyQuery; waiting: Map<string | bigint, Reading>; running: number }

/**
 * Reads that arrive in one turn of the event loop run together at its end, equal ones once. While `runsMax` runs of their
 * query are in progress, reads wait for the next. A read joins the next run, never a running one: a result must not be
 * older than its request.
 */
export function createSharedReads(run: ReadRunner, runsMax: number) {
  const lanes = new Map<AnyQuery, Lane>()
  /** What runs at the end of this turn. */
  let due = new Set<Lane>()

  function schedule(lane: Lane) {
    if (lane.running >= runsMax || lane.waiting.size === 0) return
    if (due.size === 0) timers.setImmediate(runDue)
    due.add(lane)
  }

  /** Starts all runs before any of them goes on: an engine may let them share a snapshot. */
  function runDue() {
    const started = due
    due = new Set()
    for (const lane of started) void runNext(lane)
  }

  async function runNext(lane: Lane) {
    const readings = [...lane.waiting.values()]
    // Not cleared: a map that lives on keeps what was cleared from it until a full garbage collection.
    lane.waiting = new Map()
    lane.running += 1
    try {
      const inputs = readings.map(({ input }) => input)
      const results = await run(lane.query, inputs)
      for (const [index, { resolve, reject }] of readings.entries()) {
        const result = results[index]
        // Damage fails only the reads of that row.
        if (result instanceof Damage) reject(result)
        else resolve(result)
      }
    } catch (error) {
      for (const { reject } of readings) reject(error)
    }
    lane.running -= 1
    schedule(lane)
  }

  return {
    read<I, O>(query: Query<I, O>, input: I): Promise<O> {
      let lane = lanes.get(query)
      if (!lane) {
        lane = { query: query as AnyQuery, waiting: new Map(), running: 0 }
        lanes.set(query as AnyQuery, lane)
      }
      const key = query.key(input)
      let reading = lane.waiting.get(key)
      if (!reading) {
        reading = createReading(input)
        lane.waiting.set(key, reading)
      }
      schedule(lane)
      return reading.promise as Promise<O>
    },
  }
}

/** Names each member: an object that is spread into costs several times as much. */
function createReading(input: unknown): Reading {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  return { input, promise, resolve, reject }
}
