import { encodeRow } from '../../copying/copy-text.ts'
import {
  type Chunk,
  type RowReader,
  type StoreReader,
  storedColumns,
  type TableShape,
} from '../../copying/copying.ts'
import type { Row } from '../../db.ts'
import { OpenError } from '../../errors.ts'
import type { Connection } from '../connection.ts'
import { explained, explainOpening, prepareFile } from '../locking/prepare.ts'
import { openStore } from '../open-store.ts'

/** Rows that are read at once: a chunk of the longest texts has a few megabytes. */
const chunkRows = 1_000

/** Reads a database file in one snapshot. Throws OpenError. */
export async function openSqliteReader(file: string): Promise<StoreReader> {
  const path = prepareFile(file)
  return openStore({ path, purpose: 'read' }, (connection, close) => {
    connection.exec('begin')
    // The snapshot begins with the first read.
    connection.all('select count(*) from sqlite_schema')
    return { ...readerOn(connection, path), close: async () => close() }
  })
}

/** Reads on a connection that is in a transaction. A text that is not UTF-8 is read with U+FFFD: `verify` finds it. */
export function readerOn(connection: Connection, path: string): RowReader {
  return {
    count: ({ name }) =>
      explained(path, () => {
        const [row] = connection.all<[bigint]>(`select count(*) from ${name}`)
        return Number(row?.[0] ?? 0n)
      }),
    async *read(shape) {
      try {
        yield* chunksOf(connection, shape)
      } catch (error) {
        throw explainOpening(path, error)
      }
    },
    lastId: async (table) =>
      requireId(table, await explained(path, () => connection.lastId(table))),
  }
}

function* chunksOf(connection: Connection, shape: TableShape): Generator<Chunk> {
  const { name, key } = shape
  const columns = storedColumns(shape).map((column) => column.name)
  const keyIndexes = key.map((column) => columns.indexOf(column))
  const select = `select ${columns.join(', ')} from ${name}`
  const order = `order by ${key.join(', ')} limit ${chunkRows}`
  const marks = key.map((_, index) => `?${index + 1}`).join(', ')
  let rows = connection.all(`${select} ${order}`)
  while (rows.length > 0) {
    yield { rows: rows.length, lines: Buffer.from(rows.map(encodeRow).join('')), values: rows }
    const last = rows.at(-1) as Row
    const after = keyIndexes.map((index) => last[index] ?? null)
    rows = connection.all(`${select} where (${key.join(', ')}) > (${marks}) ${order}`, after)
    requireOrder(name, after[0], rows.at(-1)?.[keyIndexes[0] ?? 0])
  }
}

/** Throws `damaged` for what was never assigned: `sqlite_sequence` takes any value. */
function requireId(table: string, id: unknown): bigint {
  if (typeof id === 'bigint' && id >= 0n) return id
  throw new OpenError('damaged', `The last id of ${table} is none: run petstore verify.`)
}

/** Throws `damaged` for rows that are out of order: reading them would not end. */
function requireOrder(table: string, before: unknown, after: unknown) {
  if (typeof before !== 'bigint' || typeof after !== 'bigint' || after >= before) return
  throw new OpenError('damaged', `The rows of ${table} are out of order: run petstore verify.`)
}
