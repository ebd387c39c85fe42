import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { storage } from '../../src/app/storage.ts'
import type { Db, IdempotencyClaim, Outcome, Sql, Tx, Write } from '../../src/db/db.ts'
import type { Connection } from '../../src/db/sqlite/connection.ts'
import { isOnPostgres } from './engine.ts'

// Every row that clients can read, and that a write touches, has an event, and nothing else has: triggers note the rows, and
// a write whose rows and changes differ fails, and with it its request.

/** What clients read of each table: the kind of the events about it, and the columns whose changes are events. */
const visible = [
  { kind: 'pet', table: 'pets', columns: ['record'] },
  ...storage.tables.flatMap(({ name: table, recorded }) =>
    recorded ? { table, ...recorded } : [],
  ),
]

// A quantity is part of the inventory, whose items are the pets with a status. A new one is 1, or 0 where the pet is sold.
const isFirstQuantity =
  "new.status is not null and new.on_hand <> case new.status when 'sold' then 0 else 1 end"
const isNewQuantity =
  'new.status is not null and (old.status is null or old.on_hand <> new.on_hand)'

type Trigger = { kind: string; table: string; event: string; row: 'new' | 'old'; when?: string }

const triggersBy = (isOther: string): Trigger[] => [
  ...visible.flatMap(({ kind, table, columns }): Trigger[] => [
    { kind, table, event: 'insert', row: 'new' },
    { kind, table, event: 'delete', row: 'old' },
    {
      ...{ kind, table, event: 'update', row: 'new' },
      when: columns.map((column) => `old.${column} ${isOther} new.${column}`).join(' or '),
    },
  ]),
  { kind: 'inventory', table: 'pets', event: 'insert', row: 'new', when: isFirstQuantity },
  { kind: 'inventory', table: 'pets', event: 'update', row: 'new', when: isNewQuantity },
]

const statements = `begin; ${[
  'create temp table touched_rows (kind text, id integer, primary key (kind, id)) without rowid',
  ...triggersBy('is not').map(
    ({ kind, table, event, row, when = 'true' }) =>
      `create temp trigger touched_${event}_${kind} after ${event} on ${table} when ${when}
      begin insert or ignore into touched_rows values ('${kind}', ${row}.id); end`,
  ),
].join(';')}; commit`

/** The same for PostgreSQL. A setting of the transaction has the rows: a rollback to a savepoint takes it back too. */
export const notingOnPostgres = [
  'create schema touched',
  `create function touched.note() returns trigger language plpgsql as $$ begin
    perform set_config('touched.rows', concat(current_setting('touched.rows', true), ',', tg_argv[0], ' ',
      case tg_op when 'DELETE' then old.id else new.id end), true);
    return null;
  end $$`,
  ...triggersBy('is distinct from').map(
    ({ kind, table, event, when = 'true' }) =>
      `create trigger touched_${event}_${kind} after ${event} on ${table} for each row when (${when})
      execute function touched.note('${kind}')`,
  ),
].join('; ')

/** Notes the rows that writes touch from now on. `db`: in memory, so that reads and writes have one connection. */
export async function noteTouchedRows(db: Pick<Db, 'read'>): Promise<void> {
  await db.read(
    {
      key: () => '',
      async run(sql, inputs) {
        // In memory it is the connection itself.
        ;(sql as Connection).exec(statements)
        return inputs.map(() => null)
      },
    },
    null,
  )
}

/** Makes the writes of stores in memory fail where the rows that they touch and the changes that they record differ. */
export function checkTouchedRows(): void {
  Object.assign(storage, { writes: storage.writes.map(checked) })
}

/** The same for the writes of a store on PostgreSQL, whose triggers are `notingOnPostgres`. */
export function checkTouchedRowsOf(db: Db): void {
  const { write, writeIdempotent } = db
  const checkedWrites = new Map<unknown, AnyWrite>()
  const checkedOnce = (one: AnyWrite) => {
    const found = checkedWrites.get(one) ?? checked(one)
    checkedWrites.set(one, found)
    return found
  }
  Object.assign(db, {
    write: (one: AnyWrite, ...rest: [unknown]) => write(checkedOnce(one), ...rest),
    writeIdempotent: (one: AnyWrite, ...rest: [unknown, IdempotencyClaim]) =>
      writeIdempotent(checkedOnce(one), ...rest),
  })
}

type AnyWrite = Write<unknown, unknown>

function checked(write: AnyWrite): AnyWrite {
  return {
    ...write,
    async run(tx, inputs) {
      const recorded: { input: unknown; row: string }[] = []
      const deletedPets = new Set<bigint>()
      let isCommitted = false
      const noting: Tx = {
        ...tx,
        last: tx,
        record(input, change) {
          const { type, id, before, data } = change
          if (type === 'pet.deleted') deletedPets.add(id)
          // A test of a webhook is an event that changes nothing.
          if (!isDeepStrictEqual(before, data) && type !== 'webhook.tested')
            recorded.push({ input, row: `${type.split('.')[0]} ${id}` })
          tx.record(input, change)
        },
        async create(table, columns, rows, records) {
          const ids = await tx.create(table, columns, rows, records)
          // There it is the only statement, and commits; its records are checked in memory.
          isCommitted = isOnPostgres
          for (const [index, { input, type }] of records.entries())
            recorded.push({ input, row: `${type.split('.')[0]} ${ids[index]}` })
          return ids
        },
        async attempt(work) {
          const { length } = recorded
          const outcome = await tx.attempt(work)
          if ('refusal' in outcome) recorded.length = length
          return outcome
        },
      }
      const outcomes = await write.run(noting, inputs)
      const touched = isCommitted ? undefined : await takeTouchedRows(tx)
      const counted = recorded.filter(({ input }) => isAccepted(input, inputs, outcomes))
      const rows = new Set(counted.map(({ row }) => row))
      const own = touched?.filter((row) => rows.has(row) || !isGone(row, deletedPets))
      if (own) assert.deepEqual([...rows].sort(), own, write.name)
      return outcomes
    },
  }
}

/** Whether a row is a part of a pet that is deleted. */
function isGone(row: string, deletedPets: ReadonlySet<bigint>): boolean {
  const [kind, id = ''] = row.split(' ')
  const isPart = storage.tables.some(({ recorded }) => recorded?.kind === kind && recorded?.isPart)
  return isPart && deletedPets.has(BigInt(id))
}

function isAccepted(
  input: unknown,
  inputs: readonly unknown[],
  outcomes: readonly Outcome<unknown>[],
): boolean {
  return input === undefined || 'value' in (outcomes[inputs.indexOf(input)] ?? {})
}

/** The rows that were noted since the last call; undefined where nothing notes them. */
export async function takeTouchedRows(sql: Sql): Promise<string[] | undefined> {
  if (isOnPostgres) {
    const [row] = await sql.all<[string | null]>("select current_setting('touched.rows', true)")
    return [...new Set(row?.[0]?.split(',').slice(1))].sort()
  }
  // A store on PostgreSQL beside those of this run notes none.
  if (sql.forUpdate !== '') return undefined
  const [isNoted] = await sql.all("select 1 from sqlite_temp_schema where name = 'touched_rows'")
  if (!isNoted) return undefined
  const rows = await sql.all<[string, bigint]>('delete from touched_rows returning kind, id')
  return rows.map(([kind, id]) => `${kind} ${id}`).sort()
}
