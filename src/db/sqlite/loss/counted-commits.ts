import type { Connection } from '../connection.ts'
import { type CountedCommit, selectSequence } from './store-row.ts'
import { openWitness, type WitnessWriter } from './witness.ts'

type CountedCommits = {
  /** Counts the commit that follows; the last statement of its transaction. */
  count(): void
  /** Writes the count to the witness: after the commit, and before anything is acknowledged. */
  witness(): void
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
    const countCommit = createCommitCounter(connection)
    let counted: CountedCommit | undefined
    const count = () => {
      counted = countCommit()
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
    return { count, witness }
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

/** How long the last ids are used again: reading them costs as much as counting. `recover` skips far more ids than a second takes. */
const idsMaxMs = 1_000

/**
 * Returns what counts the commit that follows on a connection, where its transaction has changed a row; a store without an id
 * gets one.
 */
function createCommitCounter(connection: Connection): () => CountedCommit | undefined {
  let changes = 0n
  let row: StoreId = { rowId: 0n, name: '', commits: 0n }
  let ids = ''
  let readMs = Number.NEGATIVE_INFINITY

  /** Not where nothing was changed, or another process has counted a commit meanwhile. */
  function raise(changesBefore: bigint): boolean {
    const { rowId, name, commits } = row
    const raised = connection.run(
      `update sqlite_sequence set seq = seq + 1
      where rowid = ?1 and name = ?2 and seq = ?3 and total_changes() > ?4`,
      [rowId, name, commits, changesBefore],
    )
    if (raised > 0) row.commits += 1n
    return raised > 0
  }

  return () => {
    if (!raise(changes)) {
      if (selectChanges(connection) <= changes) return undefined
      row = selectStoreId(connection) ?? insertStoreId(connection)
      raise(-1n)
    }
    changes = selectChanges(connection)
    const now = performance.now()
    if (now - readMs > idsMaxMs) {
      ids = selectIds(connection)
      readMs = now
    }
    return { store: row.name, commits: Number(row.commits), ids }
  }
}

type StoreId = { rowId: bigint; name: string; commits: bigint }

function selectChanges(connection: Connection): bigint {
  return connection.all<[bigint]>('select total_changes()')[0]?.[0] ?? 0n
}

function selectStoreId(connection: Connection): StoreId | undefined {
  const [row] = connection.all<[bigint, string, bigint]>(
    "select rowid, name, seq from sqlite_sequence where name glob 'store:*'",
  )
  return row && { rowId: row[0], name: row[1], commits: row[2] }
}

function insertStoreId(connection: Connection): StoreId {
  connection.run(
    "insert into sqlite_sequence (name, seq) values ('store:' || lower(hex(randomblob(16))), 0)",
  )
  return selectStoreId(connection) as StoreId
}

/** The lines of the other rows, each after a line feed. */
function selectIds(connection: Connection): string {
  const lines = selectSequence(connection).split('\n')
  return lines.flatMap((line) => (line.startsWith('store:') ? [] : [`\n${line}`])).join('')
}
