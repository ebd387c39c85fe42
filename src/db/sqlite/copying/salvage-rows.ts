import type { CopiedTable } from '../../copying/copy-store.ts'
import type { Row, Value } from '../../db.ts'
import { OpenError } from '../../errors.ts'
import type { Connection } from '../connection.ts'
import { failureOf, isDamage } from '../failures.ts'
import { chunksOf } from './store-reader.ts'

/** The rows of a table that were copied, and how many could not be; `unreadable` is the most that it can be. */
export type Salvaged = { rows: number; unreadable: number }

const rowsAtOnce = 500
/** After so many ids of a table that cannot be read, what is between two readable ones is given up at once. */
const failuresMax = 100_000

/**
 * Copies what can be read of a damaged database into a new one of the same schema, row by row around the damage, each chunk
 * of rows in a commit that is not synced; and the last ids. Constant memory. `lastIds`: the highest ids that are known to have
 * been assigned.
 */
export function salvageRows(
  from: Connection,
  to: Connection,
  tables: readonly CopiedTable[],
  lastIds: Readonly<Record<string, bigint>>,
): Record<string, Salvaged> {
  to.exec('pragma foreign_keys = off; pragma synchronous = off')
  return Object.fromEntries(
    tables.map((table) => {
      const salvaged: Salvaged = { rows: 0, unreadable: 0 }
      const last = table.assignsIds && highest(from, table.name, lastIds[table.name] ?? 0n)
      const rows =
        last === undefined
          ? readInOrder(from, table, salvaged)
          : readByIds(from, table, last, salvaged)
      let isFirst = true
      for (const chunk of rows) {
        // The rows of the migrations give way to those of the store.
        if (isFirst) to.exec(`delete from ${table.name}`)
        isFirst = false
        insert(to, table, chunk, salvaged)
      }
      if (last !== undefined) to.skipIds(table.name, last)
      return [table.name, salvaged]
    }),
  )
}

/** Halves each range of ids that cannot be read. */
function* readByIds(
  from: Connection,
  { name: table, columns }: CopiedTable,
  lastId: bigint,
  salvaged: Salvaged,
): Generator<Row[]> {
  const names = columns.map(({ name }) => name)
  const select = `select ${names.join(', ')} from ${table} where id between ?1 and ?2 order by id limit ${rowsAtOnce}`
  const idColumn = names.indexOf('id')
  const ranges: [bigint, bigint][] = [[1n, lastId]]
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    const [low, high] = range
    if (low > high) continue
    const rows = tryToRead(from, select, [low, high])
    const last = rows?.at(-1)?.[idColumn] ?? high
    // Rows that are out of order would be read again and again.
    if (rows && typeof last === 'bigint' && last >= low && last <= high) {
      if (rows.length > 0) yield rows
      if (rows.length === rowsAtOnce) ranges.push([last + 1n, high])
    } else if (low === high || salvaged.unreadable > failuresMax) {
      salvaged.unreadable += Number(high - low) + 1
    } else {
      const middle = (low + high) / 2n
      ranges.push([middle + 1n, high], [low, middle])
    }
  }
}

function highest(from: Connection, table: string, known: bigint): bigint {
  const found = [
    tryToRead(from, `select max(id) from ${table}`, []),
    tryToRead(from, 'select seq from sqlite_sequence where name = ?1', [table]),
  ].map((rows) => rows?.[0]?.[0])
  return found.reduce<bigint>(
    (most, id) => (typeof id === 'bigint' && id > most ? id : most),
    known,
  )
}

/** In the order of the key, as far as every row can be read. */
function* readInOrder(
  from: Connection,
  table: CopiedTable,
  salvaged: Salvaged,
): Generator<readonly Row[]> {
  try {
    for (const { values } of chunksOf(from, table)) yield values
  } catch (error) {
    if (!isUnreadable(error)) throw error
    salvaged.unreadable += 1
  }
}

function tryToRead(
  from: Connection,
  text: string,
  parameters: readonly Value[],
): Row[] | undefined {
  try {
    return from.all<Row>(text, parameters)
  } catch (error) {
    if (isUnreadable(error)) return undefined
    throw error
  }
}

/** Of a store whose migrations cannot be read, the schema is a guess. */
function isUnreadable(error: unknown): boolean {
  const isOther = error instanceof Error && /^no such (?:table|column)/.test(error.message)
  return isOther || isDamage(error) || (error instanceof OpenError && error.reason === 'damaged')
}

/** A row that breaks a constraint was damaged too. */
function insert(
  to: Connection,
  { name, columns }: CopiedTable,
  rows: readonly Row[],
  salvaged: Salvaged,
) {
  const store = (chunk: readonly Row[]) => {
    to.exec('savepoint salvage')
    try {
      to.insert(name, columns, chunk)
      salvaged.rows += chunk.length
    } catch (error) {
      to.exec('rollback to salvage')
      if (failureOf(error) !== undefined) throw error
      if (chunk.length === 1) salvaged.unreadable += 1
      else for (const row of chunk) store([row])
    } finally {
      to.exec('release salvage')
    }
  }
  store(rows)
}
