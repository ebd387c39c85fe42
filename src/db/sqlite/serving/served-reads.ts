import { createSharedReads } from '../../batching/shared-reads.ts'
import type { Query } from '../../db.ts'
import { unavailable } from '../../errors.ts'
import { Damage } from '../../records/damaged-row.ts'
import type { Connection } from '../connection.ts'
import { describeDamage, failureOf, isDamage } from '../failures.ts'
import { connectAgain, type ServedFiles } from './served-files.ts'

/** A read ends in the turn in which it starts, so runs never overlap. */
export const readsAtOnce = Number.POSITIVE_INFINITY

/** Reads of the serving thread, on one connection; a failed one is replaced. */
export function createServedReads(files: ServedFiles, first: Connection) {
  let reader: Connection | undefined = first
  let running = 0

  function giveUp(connection: Connection | undefined) {
    if (connection === undefined || connection !== reader) return
    reader = undefined
    connection.close()
  }

  /**
   * Reads of one turn of the event loop share one snapshot: beginning and ending a read costs as much as reading its
   * page. Later turns take a new snapshot, so no read is older than its request.
   */
  async function inSnapshot<T>(connection: Connection, read: () => Promise<T>): Promise<T> {
    if (running === 0) connection.exec('begin')
    running += 1
    try {
      return await read()
    } finally {
      running -= 1
      if (running === 0 && !hasEnded(connection)) giveUp(connection)
    }
  }

  const { read } = createSharedReads(async (query, inputs) => {
    let connection: Connection | undefined
    try {
      reader ??= connectAgain(files)
      const current = reader
      connection = current
      const run = () => query.run(current, inputs)
      return await (inputs.length > 1 ? inSnapshot(current, run) : run())
    } catch (error) {
      if (connection && isDamage(error)) return await readIndividually(connection, query, inputs)
      // Another read of this turn may have met the failure first and dropped the connection.
      const isGivenUp = connection !== undefined && connection !== reader
      if (failureOf(error) === undefined && !isGivenUp) throw error
      giveUp(connection)
      throw unavailable.reading(error)
    }
  }, readsAtOnce)

  return { read, close: () => reader?.close() }
}

/** The results are valid; a connection that cannot end its snapshot is dropped, since later reads would be stale. */
function hasEnded(connection: Connection): boolean {
  try {
    if (connection.isTransaction) connection.exec('commit')
    return true
  } catch {
    return false
  }
}

/** Reads each input alone after a damaged page failed their run; the input that meets it gets the Damage. */
async function readIndividually<I, O>(
  connection: Connection,
  query: Query<I, O>,
  inputs: readonly I[],
): Promise<O[]> {
  const results: (O | Damage)[] = []
  for (const input of inputs) {
    try {
      results.push(...(await query.run(connection, [input])))
    } catch (error) {
      if (!isDamage(error)) throw error
      results.push(new Damage(describeDamage(error), { cause: error }))
    }
  }
  return results as O[]
}
