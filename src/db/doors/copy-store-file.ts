import { damagedError } from '../errors.ts'
import { noStore } from '../schema/require-schema.ts'
import { describeDifferences, remedyFor } from '../schema/schema-difference.ts'
import { compareSchema } from '../sqlite/compare-schema.ts'
import type { Connection } from '../sqlite/connection.ts'
import { failureOf } from '../sqlite/failures.ts'
import { forgetStore } from '../sqlite/loss/store-row.ts'
import { findPending, lastMigration, pendingFor, tablesIn } from '../sqlite/migrate.ts'
import { openStore } from '../sqlite/open-store.ts'
import type { Storage } from '../storage.ts'
import { changeClosedFile } from './closed-file.ts'
import { isCopied, type Reason } from './tables-at.ts'

type Copying = {
  path: string
  /** An empty file. */
  copy: string
  storage: Pick<Storage, 'tables'>
  /** A store that moves is marked. */
  reason: Reason
  /** Throws where this store is not to be copied. */
  check(source: Pick<Connection, 'all'>, schema: string): void
  /** Called with the bytes that the copy will have, or a little more. */
  onSize(bytes: number): void
}

/**
 * Copies the contents of a store in one snapshot, beside the process that serves it, and nothing about its place. Other
 * processes read and write meanwhile; the log grows, since a checkpoint cannot pass the snapshot. Throws OpenError.
 *
 * Not row by row, as a store of PostgreSQL is copied: that would generate derived columns anew and replace text that is not
 * UTF-8, so the verification of the copy would not find these faults of the store, and older backups would be deleted.
 */
export async function copyStoreFile({
  path,
  copy,
  storage,
  reason,
  check,
  onSize,
}: Copying): Promise<void> {
  const admits = reason === 'move' ? findPending : pendingFor
  const opening = { path, purpose: 'use', mustExist: true, check: admits } as const
  await openStore(opening, ({ connection, close }) => {
    const schema = lastMigration(connection)
    if (schema === undefined) throw noStore(path)
    requireTables(connection, schema, path)
    check(connection, schema)
    onSize(sizeOf(connection))
    vacuumInto(connection, copy)
    close()
  })
  await changeClosedFile(copy, (connection) => {
    forgetStore(connection)
    const present = tablesIn(connection)
    for (const table of storage.tables) {
      const isLeft = !isCopied(table, reason) && present.includes(table.name)
      if (isLeft) connection.exec(`delete from ${table.name}`)
    }
    // Their pages are the last, so that this hardly moves any.
    connection.exec('pragma incremental_vacuum')
  })
}

/** A full disk is that of the copy, not of the store. */
function vacuumInto(connection: Connection, copy: string) {
  try {
    // Of the copy alone: without it, pages of deleted rows would stay in the file.
    connection.exec('pragma auto_vacuum = incremental')
    connection.all('vacuum into ?1', [copy])
  } catch (error) {
    const { message } = error as Error
    throw failureOf(error) === 'full'
      ? Object.assign(new Error(message, { cause: error }), { code: 'ENOSPC' })
      : error
  }
}

/** Throws `damaged` for tables that the migrations have not made: a restore would not take their rows. */
function requireTables(connection: Connection, last: string, store: string): void {
  const differences = compareSchema(connection, { last })
  const inTables = differences.filter(({ kind, type }) => kind !== 'foreign' && type === 'table')
  if (inTables.length === 0) return
  throw damagedError(
    `${store} does not have the schema of a store: ${describeDifferences(inTables)}. Nothing was changed; ${remedyFor(inTables)}.`,
  )
}

/** The bytes of the pages that are in use. */
function sizeOf(connection: Connection): number {
  const [[bytes] = [0n]] = connection.all<[bigint]>(
    `select (page_count - freelist_count) * page_size
    from pragma_page_count, pragma_freelist_count, pragma_page_size`,
  )
  return Number(bytes)
}
