import { inPascalCase } from '../contract/event-schemas.ts'
import type * as Type from '../contract/type.ts'
import { oneByOne, type Tx } from '../db/db.ts'
import { lockById } from '../db/lists/by-id.ts'
import type { RecordTable } from '../db/records/records.ts'
import { requireMatch, type Target } from './if-match.ts'
import { notFound } from './refuse.ts'

type Declared<Item, New, Change> = {
  noun: string
  Item: Item
  New: New
  Change: Change
  recorded(stored: object): object
}

type Rules<New, Item> = {
  /** As `rowOf` of the write of a new record. */
  rowOf?(input: New): string
  /** Refuses what neither schema nor table does; `before` is the locked record that is to change. */
  require?(tx: Tx, record: New | Item, before?: Item): Promise<void>
  /** Deletes what belongs to a deleted record. */
  deleted?(tx: Tx, id: bigint): Promise<void>
}

/**
 * The usual writes of a kind of record, each of which records its event, and what unusual ones are made of. Changes and deletions
 * lock the record first. They throw `not_found`, `precondition_failed`, and what `require` does.
 */
export function writesOf<
  Item extends Type.TObject,
  New extends Type.TObject,
  Change extends Type.TObject,
  Table extends Type.TObject = Item,
>(
  { noun, recorded }: Declared<Item, New, Change>,
  table: RecordTable<Table>,
  { rowOf, require, deleted }: Rules<Type.Static<New>, Type.Static<Table>> = {},
) {
  type Stored = Type.Static<Table> & { id: bigint }
  const name = inPascalCase(noun)

  /** Locks a record. Throws `not_found`, `precondition_failed`. */
  async function lock(tx: Tx, target: Target): Promise<Stored> {
    const { id } = target
    const found = await lockById(tx, table, id)
    if (!found) throw notFound(noun, id)
    requireMatch(target, found, `${name} ${id}`)
    return found as Stored
  }

  /** Stores a locked record as it is after a change, and records that, such as `updated`. */
  async function change(
    tx: Tx,
    input: unknown,
    did: string,
    { before, after }: { before: Stored; after: Stored },
  ): Promise<void> {
    await table.update(tx, after)
    const records = { data: recorded(after), before: recorded(before) }
    tx.record(input, { type: `${noun}.${did}`, record: noun, id: after.id, ...records })
  }

  return {
    lock,
    change,
    insert: oneByOne<Type.Static<New>, Stored>({
      name: `insert${name}`,
      ...(rowOf && { rowOf }),
      async run(tx, input) {
        await require?.(tx, input)
        const [id] = (await table.insert(tx, [input as object])) as [bigint]
        const data = { ...(input as object), id } as Stored
        tx.record(input, { type: `${noun}.created`, record: noun, id, data: recorded(data) })
        return data
      },
    }),
    update: oneByOne<Target & { body: Type.Static<Change> }, Stored>({
      name: `update${name}`,
      rowOf: ({ id }) => id,
      async run(tx, target) {
        const before = await lock(tx, target)
        const after = table.changed(before, target.body as object) as Stored
        await require?.(tx, after, before)
        await change(tx, target, 'updated', { before, after })
        return after
      },
    }),
    delete: oneByOne<Target, null>({
      name: `delete${name}`,
      rowOf: ({ id }) => id,
      async run(tx, target) {
        const { id } = target
        const data = recorded(await lock(tx, target))
        await table.delete(tx, [id])
        await deleted?.(tx, id)
        tx.record(target, { type: `${noun}.deleted`, record: noun, id, data })
        return null
      },
    }),
  }
}
