import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { storage } from '../../src/app/storage.ts'
import type { Db, Outcome, Sql, Tx, Write } from '../../src/db/db.ts'

// Every row that clients can read, and that a write touches, has an event, and nothing else has: triggers note the rows, and
// a write whose rows and changes differ fails, and with it its request.

/** What clients read of each table: the kind of the events about it, and the columns. */
const visible = [
  { kind: 'pet', table: 'pets', columns: ['record'] },
  { kind: 'category', table: 'categories', columns: ['name', 'description'] },
  {
    kind: 'order',
    table: 'orders',
    columns: [
      ...['pet_id', 'quantity', 'status', 'reference', 'created_at', 'ship_date', 'expires_at'],
    ],
  },
  {
    kind: 'key',
    table: 'keys',
    columns: [
      ...['name', 'hint', 'scopes', 'created_by', 'expires_at', 'revoked_at'],
      ...['previous_hint', 'previous_ends_at'],
    ],
  },
]

const note = (row: 'new' | 'old', kind: string) =>
  `insert or ignore into touched_rows values ('${kind}', ${row}.id); end`

const triggers = visible.flatMap(({ kind, table, columns }) => [
  `create temp trigger touched_insert_${table} after insert on ${table} begin ${note('new', kind)}`,
  `create temp trigger touched_delete_${table} after delete on ${table} begin ${note('old', kind)}`,
  `create temp trigger touched_update_${table} after update on ${table}
  when ${columns.map((column) => `old.${column} is not new.${column}`).join(' or ')}
  begin ${note('new', kind)}`,
])

const statements = [
  'create temp table touched_rows (kind text, id integer, primary key (kind, id)) without rowid',
  ...triggers,
  // A quantity is part of the inventory, whose items are the pets with a status. A new one is 1, or 0 where the pet is sold.
  `create temp trigger touched_first_quantity after insert on pets
  when new.status is not null and new.on_hand <> iif(new.status = 'sold', 0, 1)
  begin ${note('new', 'inventory')}`,
  `create temp trigger touched_quantity after update on pets
  when new.status is not null and (old.status is null or old.on_hand <> new.on_hand)
  begin ${note('new', 'inventory')}`,
]

/** Notes the rows that writes touch from now on. `db`: in memory, so that reads and writes have one connection. */
export async function noteTouchedRows(db: Pick<Db, 'read'>): Promise<void> {
  await db.read(
    {
      key: () => '',
      async run(sql, inputs) {
        for (const statement of statements) await sql.all(statement)
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

type AnyWrite = Write<unknown, unknown>

function checked(write: AnyWrite): AnyWrite {
  return {
    ...write,
    async run(tx, inputs) {
      const recorded: { input: unknown; row: string }[] = []
      const noting: Tx = {
        ...tx,
        record(input, change) {
          const { type, id, before, data } = change
          if (!isDeepStrictEqual(before, data))
            recorded.push({ input, row: `${type.split('.')[0]} ${id}` })
          tx.record(input, change)
        },
        async attempt(work) {
          const { length } = recorded
          const outcome = await tx.attempt(work)
          if ('refusal' in outcome) recorded.length = length
          return outcome
        },
      }
      const outcomes = await write.run(noting, inputs)
      const touched = await takeTouchedRows(tx)
      const counted = recorded.filter(({ input }) => isAccepted(input, inputs, outcomes))
      if (touched)
        assert.deepEqual([...new Set(counted.map(({ row }) => row))].sort(), touched, write.name)
      return outcomes
    },
  }
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
  const [isNoted] = await sql.all("select 1 from sqlite_temp_schema where name = 'touched_rows'")
  if (!isNoted) return undefined
  const rows = await sql.all<[string, bigint]>('delete from touched_rows returning kind, id')
  return rows.map(([kind, id]) => `${kind} ${id}`).sort()
}
