import type { Connection } from '../connection.ts'
import {
  type CountedCommit,
  createCommitCounter,
  selectServedMark,
  setServedMark,
} from './store-row.ts'
import { openWitness, type WitnessWriter } from './witness.ts'

export type CountedCommits = {
  /** Counts the commit that follows; the last statement of its transaction. */
  count(): void
  /** Writes the count to the witness: after the commit, and before anything is acknowledged. */
  witness(): void
  /**
   * Marks the database as served, or as complete without its log, in a commit of its own. A mark is set only where there is a
   * witness: a file with the mark, and without log and witness, is a copy.
   */
  mark(isServed: boolean): void
}

/** The witness of a database, for all connections of a thread, one after the other. */
type Witness = {
  /** Counts the commits of a connection. */
  of(connection: Connection): CountedCommits
  close(): void
}

/**
 * Opens the witness of a database when it is first written. A commit is acknowledged although its witness cannot be written:
 * it is durable, and only a loss would go unnoticed. `warn` is called once then.
 */
export function createWitness(path: string, warn: (sentence: string) => void): Witness {
  let writer: WitnessWriter | undefined
  let isBroken = false

  function fail(error: unknown) {
    if (!isBroken) warn(describe(path, error))
    isBroken = true
  }

  function open(): WitnessWriter | undefined {
    try {
      writer ??= openWitness(path, fail)
    } catch (error) {
      fail(error)
    }
    return writer
  }

  function of(connection: Connection): CountedCommits {
    const counter = createCommitCounter(connection)
    let counted: CountedCommit | undefined
    const count = () => {
      counted = counter.count()
    }
    const witness = () => {
      if (counted === undefined) return
      try {
        open()?.write(counted)
      } catch (error) {
        fail(error)
      }
      counted = undefined
    }
    const commitCounted = (change: () => void) => {
      connection.exec('begin immediate')
      try {
        change()
        counted = counter.countAlways()
        connection.exec('commit')
      } catch (error) {
        if (connection.isTransaction) connection.exec('rollback')
        throw error
      }
      witness()
    }
    const mark = (isServed: boolean) => {
      if (selectServedMark(connection) === isServed) return
      if (isServed) {
        // Syncs the first slot: a power cut must not leave the mark without a witness.
        commitCounted(() => undefined)
        if (isBroken) return
      }
      commitCounted(() => setServedMark(connection, isServed))
    }
    return { count, witness, mark }
  }

  return {
    of,
    close() {
      try {
        writer?.close()
      } catch (error) {
        fail(error)
      }
    },
  }
}

function describe(path: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return `The witness of ${path} cannot be written (${reason}). Changes are stored as before; a damaged log may lose the last of them unnoticed.`
}
