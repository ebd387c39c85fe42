import { inPascalCase } from '../contract/event-schemas.ts'
import type * as Type from '../contract/type.ts'
import { oneByOne, type Tx } from '../db/db.ts'
import { lockById } from '../db/lists/by-id.ts'
import type { RecordTable } from '../db/records.ts'
import { requireMatch, type Target } from './if-match.ts'
import { notFound } from './refuse.ts'

type Declared<Item, New, Change> = { noun: string; Item: Item; New: New; Change: Change }

type Rules<New, Item> = {
  /** As `rowOf` of the write of a new record. */
  rowOf?(input: New): string
  /** Refuses what neither schema nor table does; `before` is the locked record that is to change. */
  require?(tx: Tx, record: New | Item, before?: Item): Promise<void>
}

/**
 * The usual writes of a kind of record, each of which records its event. Changes and deletions lock the record first. They
 * throw `not_found`, `precondition_failed`, and what `require` does.
 */
export function writesOf<
  Item extends Type.TObject,
  New extends Type.TObject,
  Change extends Type.TObject,
>(
  { noun }: Declared<Item, New, Change>,
  table: RecordTable<Item>,
  { rowOf, require }: Rules<Type.Static<New>, Type.Static<Item>> = {},
) {
  type Stored = Type.Static<Item> & { id: bigint }
  const name = inPascalCase(noun)

  async function lock(tx: Tx, target: Target): Promise<Stored> {
    const { id } = target
    const found = await lockById(tx, table, id)
    if (!found) throw notFound(noun, id)
    requireMatch(target, found, `${name} ${id}`)
    return found as Stored
  }

  return {
    insert: oneByOne<Type.Static<New>, Stored>({
      name: `insert${name}`,
      ...(rowOf && { rowOf }),
      async run(tx, input) {
        await require?.(tx, input)
        const [id] = (await table.insert(tx, [input as object])) as [bigint]
        const data = { ...(input as object), id } as Stored
        tx.record(input, { type: `${noun}.created`, record: noun, id, data })
        return data
      },
    }),
    update: oneByOne<Target & { body: Type.Static<Change> }, Stored>({
      name: `update${name}`,
      rowOf: ({ id }) => id,
      async run(tx, target) {
        const { id, body } = target
        const before = await lock(tx, target)
        const data = table.changed(before, body as object) as Stored
        await require?.(tx, data, before)
        await table.update(tx, data)
        tx.record(target, { type: `${noun}.updated`, record: noun, id, data, before })
        return data
      },
    }),
    delete: oneByOne<Target, null>({
      name: `delete${name}`,
      rowOf: ({ id }) => id,
      async run(tx, target) {
        const { id } = target
        const data = await lock(tx, target)
        await table.delete(tx, id)
        tx.record(target, { type: `${noun}.deleted`, record: noun, id, data })
        return null
      },
    }),
  }
}
