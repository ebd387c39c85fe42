import { decodeLines } from '../../copying/copy-text.ts'
import type { Chunk, StoreWriter, TableShape } from '../../copying/copying.ts'
import { damagedError, explaining, OpenError } from '../../errors.ts'
import { syncFile } from '../../files/sync.ts'
import { checkLibrary } from '../check-library.ts'
import { type Connection, connect } from '../connection.ts'
import { explainOpening } from '../explain-opening.ts'
import { failureOf, isViolation } from '../failures.ts'
import { migrate } from '../migrate.ts'

/**
 * Nothing of the file counts before it is complete and synced, so nothing is synced and no page is logged on the way.
 * Indexes are sorted in temporary files.
 */
const whileFilling = `pragma journal_mode = memory; pragma synchronous = off;
  pragma temp_store = file; pragma cache_size = -65536`

type Filling = {
  /** The last migration before the rows are copied; the later ones follow at the end. */
  last?: string | undefined
  /** Whether the rows are those of a backup: a violated check is left to `verify`. */
  isRestore?: boolean
}

/** Fills an empty file. Throws OpenError. */
export async function openSqliteWriter(
  path: string,
  { last, isRestore = false }: Filling = {},
): Promise<StoreWriter> {
  using opened = new DisposableStack()
  try {
    checkLibrary()
    const connection = opened.use(connect(path, 'create'))
    connection.exec('pragma synchronous = off')
    migrate(connection, path, { last })
    connection.exec(whileFilling)
    if (isRestore) connection.exec('pragma ignore_check_constraints = on')
    opened.move()
    return writerOn(connection, path)
  } catch (error) {
    throw explainOpening(path, error)
  }
}

function writerOn(connection: Connection, path: string): StoreWriter {
  const indexes: string[] = []
  const explained = <T>(work: () => Promise<T> | T) =>
    explaining(work, (error) => explainWriting(path, error))
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
        migrate(connection, path)
        connection.close()
        syncFile(path)
      }),
    close: async () => connection.close(),
  }
}

function explainWriting(path: string, error: unknown): Error {
  if (isViolation(error)) return damagedError(`A row breaks a constraint: ${error.message}.`, error)
  if (failureOf(error) !== 'full') return explainOpening(path, error)
  const sentence = `The disk of ${path}, or that of temporary files, is full.`
  return new OpenError('ioError', sentence, error)
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
  { name, columns }: TableShape,
  chunks: AsyncIterable<Chunk>,
): Promise<void> {
  const types = columns.map(({ type }) => type)
  connection.exec(`begin; delete from ${name}`)
  for await (const { lines, values } of chunks)
    connection.insert(name, columns, values ?? decodeLines(lines, types))
  connection.exec('commit')
}
