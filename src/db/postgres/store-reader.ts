import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Chunk, RowReader, StoreReader, TableShape } from '../copying/copying.ts'
import { type Database, explainCopying, explained, openClient } from './open-client.ts'
import { sqlOn } from './sql.ts'

/** The server sends few rows at once; a chunk is hashed and written in one call. */
const chunkBytes = 65_536
const endOfLine = '\n'.charCodeAt(0)

/** Reads a database in one snapshot. Throws OpenError. */
export function openPostgresReader(database: Database): Promise<StoreReader> {
  return openClient(database, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    // The snapshot begins with the first read.
    await client.query('select 1 from pg_class limit 1')
    return { ...readerOn(client, database.name), close: () => client.end() }
  })
}

/** Reads on a connection that is in a transaction. */
export function readerOn(client: pg.ClientBase, name: string): RowReader {
  return {
    count: (shape) =>
      explained(name, async () => {
        const { rows } = await client.query(`select count(*) from ${shape.name}`)
        return Number(rows[0]?.count)
      }),
    async *read(shape) {
      try {
        yield* chunksOf(client, shape)
      } catch (error) {
        throw explainCopying(name, error)
      }
    },
    lastId: async (table) => sqlOn(client).lastId(table),
  }
}

async function* chunksOf(
  client: pg.ClientBase,
  { name: table, columns, key }: TableShape,
): AsyncGenerator<Chunk> {
  // By bytes, as SQLite orders texts.
  const order = key.map((column) => {
    const isText = columns.some(({ name, type }) => name === column && type === 'text')
    return isText ? `${column} collate "C"` : column
  })
  const select = `select ${columns.map((column) => column.name).join(', ')} from ${table} order by ${order.join(', ')}`
  const stream = client.query(copyTo(`copy (${select}) to stdout`))
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const part of stream as AsyncIterable<Buffer>) {
    waiting.push(part)
    bytes += part.length
    // A row of some megabytes comes in many parts, which are put together once.
    if (bytes < chunkBytes || !part.includes(endOfLine)) continue
    const all = Buffer.concat(waiting)
    const end = all.lastIndexOf(endOfLine) + 1
    if (end > 0) yield chunkOf(all.subarray(0, end))
    waiting = [all.subarray(end)]
    bytes = all.length - end
  }
  const rest = Buffer.concat(waiting)
  if (rest.length > 0) yield chunkOf(rest)
}

function chunkOf(lines: Buffer): Chunk {
  let rows = 0
  for (let at = lines.indexOf(endOfLine); at >= 0; at = lines.indexOf(endOfLine, at + 1)) rows += 1
  return { rows, lines }
}
