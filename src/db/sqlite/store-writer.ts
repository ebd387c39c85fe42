import { closeSync, existsSync, fsyncSync, openSync, statSync } from 'node:fs'
import { decodeLines } from '../copying/copy-text.ts'
import { type Chunk, type StoreWriter, storedColumns, type TableShape } from '../copying/copying.ts'
import { OpenError } from '../errors.ts'
import type { Storage } from '../storage.ts'
import { insertMark, type TransferMark } from '../transfer-mark.ts'
import { type Connection, checkLibrary, connect } from './connection.ts'
import { failureOf } from './failures.ts'
import { migrate } from './migrate.ts'
import { explainOpening, prepareFile } from './prepare.ts'

/**
 * Nothing of the file counts before it is complete and synced, so nothing is synced and no page is logged on the way.
 * Indexes are sorted in temporary files.
 */
const whileFilling = `pragma journal_mode = memory; pragma synchronous = off;
  pragma temp_store = file; pragma cache_size = -65536`

/** Fills a file that does not exist or is empty; with a mark, it is not served until the mark is removed. Throws OpenError. */
export async function openSqliteWriter(
  file: string,
  storage: Storage,
  mark?: TransferMark,
): Promise<StoreWriter> {
  const path = prepareFile(file)
  if (existsSync(path) && statSync(path).size > 0) throw new Error(`${path} exists.`)
  let connection: Connection | undefined
  try {
    checkLibrary()
    connection = connect(path, 'create')
    connection.exec('pragma synchronous = off')
    await migrate(connection, path, { storage })
    connection.exec(whileFilling)
    if (mark) await insertMark(connection, mark)
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
        sync(path)
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
  for await (const { lines } of chunks) {
    connection.insert(shape.name, names, decodeLines(lines, types))
  }
  connection.exec('commit')
}

function sync(path: string) {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
