import { isDeepStrictEqual } from 'node:util'
import { oneByOne, type Sql, type Value } from '../db.ts'
import { Refusal } from '../errors.ts'
import type { Check, RecordName, Table } from '../storage.ts'
import { type CheckedColumns, findInRows } from './find-in-rows.ts'

/** Columns that the service computes from others, such as the search keys of names. */
export function computedColumnsCheck(tables: readonly Table[]): Check {
  const columns = tables.flatMap(computedColumnsOf)
  return {
    name: 'nameKeys',
    promise: 'records are found by their names',
    scan: {
      name: 'verifyNameKeys',
      run: (sql, _input, checkTime) =>
        findInRows<ComputedColumn, ComputedRow>(sql, columns, checkTime, async (column, row) => {
          const { table, name, from } = column
          const [id, , value] = row
          const wrong = await findWrong(sql, column, row)
          if (!wrong) return []
          const { right, isTaken } = wrong
          return [
            {
              record: { table, id: String(id) },
              message: `The ${name} of row ${id} of ${table} is ${JSON.stringify(value)}, but its ${from} requires ${JSON.stringify(right)}${isTaken ? ', which another row has' : ''}.`,
              repair: isTaken ? null : 'compute it again',
            },
          ]
        }),
    },
    repair: oneByOne<RecordName, null>({
      name: 'rewriteNameKey',
      async run(sql, record) {
        for (const column of columns.filter(({ table }) => table === record.table)) {
          const { table, name, generated } = column
          const read = [...column.columns, ...generated].join(', ')
          const [row] = await sql.all<ComputedRow>(
            `select ${read} from ${table} where id = ?1${sql.forUpdate}`,
            [BigInt(record.id)],
          )
          const wrong = row && (await findWrong(sql, column, row))
          if (!wrong || wrong.isTaken) continue
          const [repaired] = await sql.all(
            `update ${table} set ${name} = ?2 where id = ?1 returning ${read}`,
            [row[0], wrong.right],
          )
          // SQLite generates columns again. Where that changes them, the source itself may be damaged.
          if (!isDeepStrictEqual(repaired?.slice(3), row.slice(3)))
            throw new Refusal(
              'internal_error',
              `A person has to decide about ${table} ${record.id}.`,
            )
        }
        return null
      },
    }),
  }
}

type ComputedColumn = NonNullable<Table['columns'][string]['computed']> &
  CheckedColumns & { name: string; generated: readonly string[] }
type ComputedRow = [id: bigint, source: string | null, value: string, ...generated: Value[]]

function computedColumnsOf({ name: table, columns }: Table): ComputedColumn[] {
  const generated = Object.keys(columns).filter((name) => columns[name]?.isGenerated)
  return Object.entries(columns).flatMap(([name, { computed }]) =>
    computed ? [{ table, name, columns: ['id', computed.from, name], generated, ...computed }] : [],
  )
}

/** The right value of a row that has another one. A damaged row may lack the source: the check of the files reports that. */
async function findWrong(sql: Sql, column: ComputedColumn, [, source, value]: ComputedRow) {
  const { table, name, compute, isUnique } = column
  const right = source === null ? value : compute(source)
  if (right === value) return undefined
  const others = isUnique ? await sql.all(`select 1 from ${table} where ${name} = ?1`, [right]) : []
  return { right, isTaken: others.length > 0 }
}
