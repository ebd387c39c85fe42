import { inPascalCase } from '../contract/list-words.ts'
import type * as Type from '../contract/type.ts'
import { type Outcome, oneByOne, type Tx, type Write } from '../db/db.ts'
import { Refusal } from '../db/errors.ts'
import { lockById, lockRows, selectByIds } from '../db/lists/by-id.ts'
import type { RecordTable } from '../db/records/records.ts'
import { requireMatch, type Target, tagOfRecord } from './if-match.ts'
import { notFound, petHasNo } from './refuse.ts'

type Declared<Item, New, Change> = {
  noun: string
  Item: Item
  New: New
  Change?: Change
  /** The kind of which each record has one of these at most, under its id: it is locked, and events are found by its id. */
  partOf?: { record: string } | undefined
  recorded?(stored: object): object
}

type Rules<New, Stored> = {
  /** As `rowOf` of the write of a new record. */
  rowOf?(input: New): string
  /** Refuses what neither schema nor table does; `before` is the locked record that is to change. */
  require?(tx: Tx, record: New | Stored, before?: Stored): Promise<void>
  /** Stores what follows from stored records, such as an index. */
  stored?(tx: Tx, records: readonly Stored[]): Promise<void>
  /** Deletes what belongs to deleted records. */
  deleted?(tx: Tx, ids: readonly bigint[]): Promise<void>
  /** The entity tag, where it is not that of the JSON text: a replacement that has the same changes nothing. */
  tagOf?(record: object): string
}

/**
 * The usual writes of a kind of record, each of which records its event, and what unusual ones are made of. Changes and deletions
 * lock the record first. They throw `not_found`, `precondition_failed`, and what `require` does. What deletes a record deletes its
 * parts by `table.delete`, without events of their own.
 */
export function writesOf<
  Item extends Type.TObject,
  New extends Type.TObject,
  Change extends Type.TObject,
  Table extends Type.TObject = Item,
>(
  { noun, partOf, recorded = (stored) => stored }: Declared<Item, New, Change>,
  table: RecordTable<Table>,
  rules: Rules<Type.Static<New>, Type.Static<Table>> = {},
) {
  type Stored = Type.Static<Table>
  type Done = { before: Stored | undefined; after: Stored | null }
  type Step = { input: unknown; target: Target; next(before: Stored | undefined): Stored | null }
  const name = inPascalCase(noun)
  const record = partOf?.record ?? noun
  const [idName = ''] = table.members
  const { tagOf = tagOfRecord } = rules

  function requireTarget(target: Target, found: Stored | undefined): void {
    const subject = partOf ? `The ${noun} record of ${record} ${target.id}` : `${name} ${target.id}`
    requireMatch(target, found, subject, tagOf)
  }

  /** Locks a record. Throws `not_found`, `precondition_failed`. */
  async function lock(tx: Tx, target: Target): Promise<Stored> {
    const found = (await lockById(tx, table, target.id)) as Stored | undefined
    if (!found) throw notFound(noun, target.id)
    requireTarget(target, found)
    return found
  }

  function recordChange(tx: Tx, input: unknown, did: string, { before, after }: Done) {
    const data = recorded((after ?? before) as Stored)
    const id = (data as Record<string, bigint>)[idName] as bigint
    const change = { type: `${noun}.${did}`, record, id, data }
    tx.record(input, after && before ? { ...change, before: recorded(before) } : change)
  }

  /** Stores a locked record as it is after a change, and records that, such as `updated`. */
  async function change(
    tx: Tx,
    input: unknown,
    did: string,
    done: { before: Stored; after: Stored },
  ): Promise<void> {
    await table.replace(tx, [done.after])
    recordChange(tx, input, did, done)
  }

  /** Inserts records, with an event for each. */
  async function create(tx: Tx, input: unknown, items: readonly object[]): Promise<Stored[]> {
    const ids = await table.insert(tx, items)
    return items.map((item, index) => {
      const after = table.changed({ ...item, [idName]: ids[index] } as Stored, {}) as Stored
      recordChange(tx, input, 'created', { before: undefined, after })
      return after
    })
  }

  /** Applies steps by the same few statements for one and for many. */
  async function apply(tx: Tx, steps: readonly Step[]): Promise<Outcome<Done>[]> {
    const ids = steps.map(({ target }) => target.id)
    const owners = await lockRows(tx, partOf ? `${record}s` : table.table, ids)
    const outcomes: Outcome<Done>[] = []
    if (new Set(ids).size < ids.length) {
      for (const step of steps) outcomes.push(...(await apply(tx, [step])))
      return outcomes
    }
    const current = await selectByIds(tx, table, ids)
    const stored: Stored[] = []
    const deleted: bigint[] = []
    for (const { input, target, next } of steps) {
      try {
        if (!owners.has(target.id)) throw notFound(record, target.id)
        const before = current.get(target.id) as Stored | undefined
        const after = next(before)
        requireTarget(target, before)
        if (after) await rules.require?.(tx, after, before)
        recordChange(tx, input, after ? 'updated' : 'deleted', { before, after })
        if (after) stored.push(after)
        else deleted.push(target.id)
        outcomes.push({ value: { before, after } })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        outcomes.push({ refusal: error })
      }
    }
    await table.replace(tx, stored)
    await table.delete(tx, deleted)
    await rules.stored?.(tx, stored)
    if (deleted.length > 0) await rules.deleted?.(tx, deleted)
    return outcomes
  }

  function write<Input extends Target, Value>(
    verb: string,
    next: (input: Input, before: Stored | undefined) => Stored | null,
    toValue: (done: Done) => Value,
  ): Write<Input, Value> {
    return {
      name: `${verb}${name}`,
      rowOf: ({ id }) => id,
      async run(tx, inputs) {
        const steps = inputs.map((input): Step => {
          return { input, target: input, next: (before) => next(input, before) }
        })
        const outcomes = await apply(tx, steps)
        return outcomes.map((outcome) =>
          'refusal' in outcome ? outcome : { value: toValue(outcome.value) },
        )
      },
    }
  }

  const changed = (id: bigint, body: object, before: object = { [idName]: id }) =>
    table.changed(before as Stored, body) as Stored

  return {
    lock,
    change,
    create,
    insert: oneByOne<Type.Static<New>, Stored>({
      name: `insert${name}`,
      ...(rules.rowOf && { rowOf: rules.rowOf }),
      async run(tx, input) {
        await rules.require?.(tx, input)
        const [after] = await create(tx, input, [input as object])
        return after as Stored
      },
    }),
    update: write<Target & { body: Type.Static<Change> }, Stored>(
      'update',
      ({ id, body }, before) => changed(id, body as object, before),
      ({ after }) => after as Stored,
    ),
    /** Stores a part in place of the one that there is. */
    replace: write<Target & { body: Type.Static<New> }, { record: Stored; isNew: boolean }>(
      'replace',
      ({ id, body }, before) => {
        const after = changed(id, body as object)
        return before && tagOf(before) === tagOf(after) ? before : after
      },
      ({ before, after }) => ({ record: after as Stored, isNew: before === undefined }),
    ),
    delete: write<Target, null>(
      'delete',
      ({ id }, before) => {
        if (before === undefined) throw petHasNo(noun, id)
        return null
      },
      () => null,
    ),
    /** Changes the members that are sent of the parts of existing records, also of those that have none. */
    changeParts: (
      tx: Tx,
      input: unknown,
      changes: readonly { id: bigint; body: Type.Static<New> }[],
    ) =>
      apply(
        tx,
        changes.map(({ id, body }) => ({
          ...{ input, target: { id } },
          next: (before) => changed(id, body as object, before),
        })),
      ),
  }
}
