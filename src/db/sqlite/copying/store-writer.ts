import { existsSync, statSync } from 'node:fs'
import { decodeLines } from '../../copying/copy-text.ts'
import {
  type Chunk,
  type StoreWriter,
  storedColumns,
  type TableShape,
} from '../../copying/copying.ts'
import { OpenError } from '../../errors.ts'
import { syncFile } from '../../files/sync.ts'
import type { Storage } from '../../storage.ts'
import { type TransferMark, writeMark } from '../../transfer-mark.ts'
import { checkLibrary } from '../check-library.ts'
import { type Connection, connect } from '../connection.ts'
import { failureOf, isViolation } from '../failures.ts'
import { explainOpening, prepareFile } from '../locking/prepare.ts'
import { migrate } from '../migrate.ts'

/**
 * Nothing of the file counts before it is complete and synced, so nothing is synced and no page is logged on the way.
 * Indexes are sorted in temporary files.
 */
const whileFilling = `pragma journal_mode = memory; pragma synchronous = off;
  pragma temp_store = file; pragma cache_size = -65536`

export type Filling = {
  /** With a mark the store is not served until the mark is removed. */
  mark?: TransferMark | undefined
  /** The last migration of the store. */
  last?: string | undefined
  /** Whether the rows are those of a backup: a violated check is left to `verify`. */
  isRestore?: boolean
}

/** Fills a file that does not exist or is empty. Throws OpenError. */
export async function openSqliteWriter(
  file: string,
  storage: Storage,
  { mark, last, isRestore = false }: Filling = {},
): Promise<StoreWriter> {
  const path = prepareFile(file)
  if (existsSync(path) && statSync(path).size > 0) throw new Error(`${path} exists.`)
  let connection: Connection | undefined
  try {
    checkLibrary()
    connection = connect(path, 'create')
    connection.exec('pragma synchronous = off')
    await migrate(connection, path, { storage, last })
    connection.exec(whileFilling)
    if (isRestore) connection.exec('pragma ignore_check_constraints = on')
    if (mark) await writeMark(connection, mark)
    return writerOn(connection, path)
  } catch (error) {
    connection?.close()
    throw explainOpening(path, error)
  }
}

function writerOn(connection: Connection, path: string): StoreWriter {
  const indexes: string[] = []
  let isOpen = true

  async function explained<T>(work: () => Promise<T> | T): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (isViolation(error)) {
        throw new OpenError(
          'damaged',
          `A row breaks a constraint: ${(error as Error).message}.`,
          error,
        )
      }
      if (failureOf(error) !== 'full') throw explainOpening(path, error)
      throw new OpenError(
        'ioError',
        `The disk of ${path}, or that of temporary files, is full.`,
        error,
      )
    }
  }

  return {
    insert: (shape, chunks) =>
      explained(async () => {
        indexes.push(...dropIndexes(connection, shape.name))
        await insertRows(connection, shape, chunks)
      }),
    skipIds: (table, last) => explained(() => connection.skipIds(table, last)),
    finish: () =>
      explained(() => {
        for (const definition of indexes) connection.exec(definition)
        connection.exec('pragma journal_mode = wal')
        connection.close()
        isOpen = false
        syncFile(path)
      }),
    async close() {
      if (isOpen) connection.close()
      isOpen = false
    },
  }
}

/** Drops the indexes that no constraint needs, and returns their definitions: created at the end they are sorted once. */
function dropIndexes(connection: Connection, table: string): string[] {
  const rows = connection.all<[string, string]>(
    `select name, sql from sqlite_schema where type = 'index' and tbl_name = ?1 and sql is not null`,
    [table],
  )
  for (const [name] of rows) connection.exec(`drop index ${name}`)
  return rows.map(([, definition]) => definition)
}

async function insertRows(
  connection: Connection,
  shape: TableShape,
  chunks: AsyncIterable<Chunk>,
): Promise<void> {
  const columns = storedColumns(shape)
  const types = columns.map(({ type }) => type)
  const names = columns.map(({ name }) => ({ name, type: 'text' as const }))
  connection.exec(`begin; delete from ${shape.name}`)
  for await (const { lines, values } of chunks) {
    connection.insert(shape.name, names, values ?? decodeLines(lines, types))
  }
  connection.exec('commit')
}
