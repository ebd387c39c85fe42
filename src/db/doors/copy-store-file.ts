import type { Connection } from '../sqlite/connection.ts'
import { conformSchema } from '../sqlite/copying/conform-schema.ts'
import { failureOf } from '../sqlite/failures.ts'
import { prepareExisting } from '../sqlite/locking/prepare.ts'
import { forgetStore } from '../sqlite/loss/store-row.ts'
import { lastMigration, pendingFor, tablesIn } from '../sqlite/migrate.ts'
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
 */
export async function copyStoreFile({
  path: given,
  copy,
  storage,
  check,
  onSize,
}: Copying): Promise<void> {
  const path = prepareExisting(given)
  const opening = {
    path,
    purpose: 'use',
    check: (found: Connection) => pendingFor(found, path),
  } as const
  await openStore(opening, (connection, close) => {
    check(connection, lastMigration(connection) ?? '')
    onSize(sizeOf(connection))
    vacuumInto(connection, copy)
    close()
  })
  await changeClosedFile(copy, (connection) => {
    conformSchema(connection, lastMigration(connection) ?? '', given)
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

/** The bytes of the pages that are in use. */
function sizeOf(connection: Connection): number {
  const [[pages], [free], [size]] = ['page_count', 'freelist_count', 'page_size'].map(
    (name) => connection.all<[bigint]>(`pragma ${name}`)[0],
  ) as [[bigint], [bigint], [bigint]]
  return Number((pages - free) * size)
}
