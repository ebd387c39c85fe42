import { damagedError } from '../errors.ts'
import { describeDifferences, remedyFor, type SchemaDifference } from '../schema-difference.ts'
import { compareSchema } from '../sqlite/compare-schema.ts'
import type { Connection } from '../sqlite/connection.ts'
import { failureOf } from '../sqlite/failures.ts'
import { forgetStore } from '../sqlite/loss/store-row.ts'
import { lastMigration, openReference, pendingFor, tablesIn } from '../sqlite/migrate.ts'
import { openStore } from '../sqlite/open-store.ts'
import type { Storage } from '../storage.ts'
import { changeClosedFile } from './closed-file.ts'

type Copying = {
  path: string
  /** An empty file. */
  copy: string
  storage: Pick<Storage, 'tables'>
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
  check,
  onSize,
}: Copying): Promise<void> {
  const opening = { path, purpose: 'use', mustExist: true, check: pendingFor } as const
  await openStore(opening, ({ connection, close }) => {
    check(connection, lastMigration(connection) ?? '')
    onSize(sizeOf(connection))
    vacuumInto(connection, copy)
    close()
  })
  await changeClosedFile(copy, (connection) => {
    conformSchema(connection, lastMigration(connection) ?? '', path)
    forgetStore(connection)
    const present = tablesIn(connection)
    for (const { name, isLocal } of storage.tables) {
      if (isLocal && present.includes(name)) connection.exec(`delete from ${name}`)
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

/**
 * Gives a copy of a store the schema of the migrations up to `last`: drops what none of them made, and creates indexes anew.
 * Throws `damaged` where a table differs; the message names the store.
 */
function conformSchema(connection: Connection, last: string, store: string): void {
  const differences = compareSchema(connection, { last })
  const inTables = differences.filter(({ kind, type }) => kind !== 'foreign' && type !== 'index')
  if (inTables.length > 0) {
    throw damagedError(
      `${store} does not have the schema of a store: ${describeDifferences(inTables)}. Nothing was changed; ${remedyFor(inTables)}.`,
    )
  }
  for (const difference of differences) drop(connection, difference)
  const missing = differences.filter(({ kind }) => kind !== 'foreign').map(({ name }) => name)
  if (missing.length > 0) createIndexes(connection, missing, last)
}

/** Indexes of constraints go with their tables. */
function drop(connection: Connection, { type, name }: SchemaDifference) {
  const isDropped = ['trigger', 'view', 'index', 'table'].includes(type)
  if (!isDropped || name.startsWith('sqlite_')) return
  connection.exec(`drop ${type} if exists "${name.replaceAll('"', '""')}"`)
}

function createIndexes(connection: Connection, names: readonly string[], last: string) {
  using reference = openReference(last)
  const rows = reference.all<[string, string]>(
    "select name, sql from sqlite_schema where type = 'index' and sql is not null",
  )
  for (const [name, sql] of rows) if (names.includes(name)) connection.exec(sql)
}

/** The bytes of the pages that are in use. */
function sizeOf(connection: Connection): number {
  const [[bytes] = [0n]] = connection.all<[bigint]>(
    `select (page_count - freelist_count) * page_size
    from pragma_page_count, pragma_freelist_count, pragma_page_size`,
  )
  return Number(bytes)
}
