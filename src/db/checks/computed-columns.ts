import { isDeepStrictEqual } from 'node:util'
import { oneByOne, type Sql, type Value } from '../db.ts'
import { Refusal } from '../errors.ts'
import { rowsOf } from '../lists/steps.ts'
import {
  type Check,
  type Computation,
  defineCheck,
  findingOf,
  type RecordName,
  type Table,
} from '../storage.ts'

/** Columns that the service computes from others, such as the search keys of names. */
export function computedColumnsCheck(tables: readonly Table[]): Check {
  const all = tables.flatMap(({ name: table, computed = {} }) =>
    Object.entries(computed).map(([name, computation]) => ({ table, name, ...computation })),
  )
  return defineCheck({
    name: 'nameKeys',
    promise: 'records are found by their names',
    async *find(sql, checkTime) {
      for (const column of all) {
        const { table, name, from } = column
        const read = { table, columns: ['id', from, name] }
        for await (const rows of rowsOf<ComputedRow>(sql, read, checkTime)) {
          for (const row of rows) {
            const [id, , value] = row
            const wrong = await findWrong(sql, column, row)
            if (!wrong) continue
            const { right, isTaken } = wrong
            const message = `The ${name} of row ${id} of ${table} is ${JSON.stringify(value)}, but its ${from} requires ${JSON.stringify(right)}${isTaken ? ', which another row has' : ''}.`
            yield findingOf(table, id, message, isTaken ? null : 'compute it again')
          }
        }
      }
    },
    repair: oneByOne<RecordName, null>({
      name: 'rewriteNameKey',
      async run(sql, record) {
        for (const column of all.filter(({ table }) => table === record.table)) {
          const { table, name, from } = column
          const read = `id, ${from}, ${name}, *`
          const [row] = await sql.all<ComputedRow>(
            `select ${read} from ${table} where id = ?1${sql.forUpdate}`,
            [BigInt(record.id)],
          )
          const wrong = row && (await findWrong(sql, column, row))
          if (!wrong || wrong.isTaken) continue
          const [repaired = []] = await sql.all(
            `update ${table} set ${name} = ?2 where id = ?1 returning ${read}`,
            [row[0], wrong.right],
          )
          const changed = repaired
            .slice(3)
            .filter((value, index) => !isDeepStrictEqual(value, row[index + 3]))
          // SQLite generates columns again. Where that changes them, the source itself may be damaged.
          if (changed.length > 1)
            throw new Refusal(
              'internal_error',
              `A person has to decide about ${table} ${record.id}.`,
            )
        }
        return null
      },
    }),
  })
}

type ComputedColumn = Computation & { table: string; name: string }
type ComputedRow = [id: bigint, source: string | null, value: string | null, ...all: Value[]]

/** The right value of a row that has another one. A damaged row may lack the source: the check of the files reports that. */
async function findWrong(
  sql: Sql,
  { table, name, compute, isUnique }: ComputedColumn,
  [, source, value]: ComputedRow,
) {
  if (source === null) return undefined
  const right = compute(source)
  if (right === value) return undefined
  const others = isUnique ? await sql.all(`select 1 from ${table} where ${name} = ?1`, [right]) : []
  return { right, isTaken: others.length > 0 }
}
