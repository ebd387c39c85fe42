import { Damage, type DamagedRow } from '../damaged-row.ts'
import type { Query } from '../db.ts'

type Reading = {
  input: unknown
  promise: Promise<unknown>
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/** Runs a query on a connection of the engine, and maps failures to errors for the callers. */
type ReadRunner = <I, O>(query: Query<I, O>, inputs: readonly I[]) => Promise<(O | DamagedRow)[]>

/**
 * Reads that arrive in one turn of the event loop run together at its end, equal ones once. While `runsMax` runs are in
 * progress, reads wait for the next. A read joins the next run, never a running one: a result must not be older than
 * its request.
 */
export function createSharedReads(run: ReadRunner, runsMax: number) {
  const waiting = new Map<Query<unknown, unknown>, Map<string | bigint, Reading>>()
  let running = 0
  let isScheduled = false

  function schedule() {
    if (isScheduled || running >= runsMax || waiting.size === 0) return
    isScheduled = true
    setImmediate(runNext)
  }

  function runNext() {
    isScheduled = false
    for (const [query, readings] of waiting) {
      if (running >= runsMax) return
      waiting.delete(query)
      running += 1
      void runQuery(query, [...readings.values()])
    }
  }

  async function runQuery(query: Query<unknown, unknown>, readings: Reading[]) {
    try {
      const inputs = readings.map(({ input }) => input)
      const results = await run(query, inputs)
      for (const [index, { resolve, reject }] of readings.entries()) {
        const result = results[index]
        // Damage fails only the reads of that row.
        if (result instanceof Damage) reject(result)
        else resolve(result)
      }
    } catch (error) {
      for (const { reject } of readings) reject(error)
    }
    running -= 1
    schedule()
  }

  return {
    read<I, O>(query: Query<I, O>, input: I): Promise<O> {
      let readings = waiting.get(query)
      if (!readings) {
        readings = new Map()
        waiting.set(query, readings)
      }
      const key = query.key(input)
      let reading = readings.get(key)
      if (!reading) {
        reading = createReading(input)
        readings.set(key, reading)
      }
      schedule()
      return reading.promise as Promise<O>
    },
  }
}

function createReading(input: unknown): Reading {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  return { input, promise, resolve, reject }
}
