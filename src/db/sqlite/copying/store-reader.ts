import { encodeRow } from '../../copying/copy-text.ts'
import type { Chunk, RowReader, TableShape } from '../../copying/copying.ts'
import type { Value } from '../../db.ts'
import { damagedError } from '../../errors.ts'
import type { Connection } from '../connection.ts'
import { explained, explainOpening } from '../explain-opening.ts'

/** The maximum of rows that are read at once, and of the size of their values. A larger row is read alone. */
const chunkMaxRows = 1_000
const chunkMaxBytes = BigInt(4 * 2 ** 20)

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

/** The rows of a table in the order of its key, a few megabytes at a time. */
export function* chunksOf(
  connection: Connection,
  { name, columns, key }: TableShape,
): Generator<Required<Chunk>> {
  const names = columns.map((column) => column.name)
  const keyIndexes = key.map((column) => names.indexOf(column))
  const sized = columns.filter(({ type }) => type !== 'bigint')
  const size = sized.map((column) => `coalesce(octet_length(${column.name}), 0)`).join(' + ')
  const marks = key.map((_, index) => `?${index + 2}`).join(', ')
  let after: Value[] = []
  for (;;) {
    const behind = after.length > 0 ? `where (${key.join(', ')}) > (${marks})` : ''
    const next = `from ${name} ${behind} order by ${key.join(', ')} limit ?1 + 0`
    const sizeOf = (limit: number) =>
      connection.all<[bigint | null]>(
        `select sum(size) from (select ${size || 0} as size ${next})`,
        [BigInt(limit), ...after],
      )[0]?.[0] ?? 0n
    let limit = chunkMaxRows
    while (limit > 1 && sizeOf(limit) > chunkMaxBytes) limit >>= 1
    const rows = connection.all(`select ${names.join(', ')} ${next}`, [BigInt(limit), ...after])
    const last = rows.at(-1)
    if (!last) return
    const nextAfter = keyIndexes.map((index) => last[index] ?? null)
    requireOrder(connection, name, after, nextAfter)
    yield { rows: rows.length, lines: Buffer.from(rows.map(encodeRow).join('')), values: rows }
    after = nextAfter
  }
}

/** Throws `damaged` for what was never assigned: `sqlite_sequence` takes any value. */
function requireId(table: string, id: unknown): bigint {
  if (typeof id === 'bigint' && id >= 0n) return id
  throw damagedError(`The last id of ${table} is none: run petstore verify.`)
}

/** Throws `damaged` for rows that are out of order: reading them would not end. */
function requireOrder(connection: Connection, table: string, before: Value[], after: Value[]) {
  if (before.length === 0) return
  const marks = [before, after].map((values, part) =>
    values.map((_, index) => `?${part * values.length + index + 1}`).join(', '),
  )
  const [row] = connection.all(`select (${marks[0]}) < (${marks[1]})`, [...before, ...after])
  if (row?.[0] === 1n) return
  throw damagedError(`The rows of ${table} are out of order: run petstore verify.`)
}
