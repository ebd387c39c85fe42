import { inPascalCase } from '../contract/event-schemas.ts'
import type * as Type from '../contract/type.ts'
import { selectOrphans } from '../db/checks/orphans.ts'
import { type Outcome, oneByOne, outcomesOf, type Tx, type Write } from '../db/db.ts'
import { lockRows, selectByIds } from '../db/lists/by-id.ts'
import { stepsOf } from '../db/lists/steps.ts'
import type { RecordTable } from '../db/records/records.ts'
import { defineCheck, findingOf, type RecordName } from '../db/storage.ts'
import { requireMatch, type Target, tagOfRecord } from './if-match.ts'
import { notFound, petHasNo } from './refuse.ts'

type Declared<Item, New> = { noun: string; Item: Item; New: New }

/**
 * The writes of a kind of which each pet has one at most, under the id of the pet. They lock the pet, and record events that
 * are found by its id. What deletes a pet deletes its parts by `table.delete`, without events of their own.
 */
export function partWritesOf<Item extends Type.TObject, New extends Type.TObject>(
  { noun }: Declared<Item, New>,
  table: RecordTable<Item>,
  /** Stores what follows from stored parts, such as an index. */
  store: (tx: Tx, parts: readonly Type.Static<Item>[]) => Promise<void> = async () => undefined,
  /** The entity tag of a part: a replacement that has the same changes nothing. */
  tagOf: (part: object) => string = tagOfRecord,
) {
  type Part = Type.Static<Item>
  type Body = Type.Static<New>
  type Step = Target & { input: unknown; next(before: Part | undefined): Part | null }
  type Done = { before: Part | undefined; after: Part | null }
  const name = inPascalCase(noun)
  const [idName = ''] = table.members
  const partOf = (id: bigint, body: Body, before: object = { [idName]: id }) =>
    table.changed(before as Part, body as object)

  /** Applies steps by the same few statements for one and for many. */
  async function apply(tx: Tx, steps: readonly Step[]): Promise<Outcome<Done>[]> {
    const ids = steps.map(({ id }) => id)
    const pets = await lockRows(tx, 'pets', ids)
    if (new Set(ids).size < ids.length) {
      const outcomes: Outcome<Done>[] = []
      for (const step of steps) outcomes.push(...(await apply(tx, [step])))
      return outcomes
    }
    const current = await selectByIds(tx, table, ids)
    const stored: Part[] = []
    const deleted: bigint[] = []
    const outcomes = outcomesOf(steps, ({ id, input, next, ...condition }): Done => {
      if (!pets.has(id)) throw notFound('pet', id)
      const before = current.get(id)
      const after = next(before)
      requireMatch(condition, before as object, `The ${noun} record of pet ${id}`, tagOf)
      const event = { record: 'pet', id }
      if (after)
        tx.record(input, {
          ...event,
          type: `${noun}.updated`,
          data: after as object,
          before: before as object,
        })
      else tx.record(input, { ...event, type: `${noun}.deleted`, data: before as object })
      if (after) stored.push(after)
      else deleted.push(id)
      return { before, after }
    })
    await table.replace(tx, stored)
    await table.delete(tx, deleted)
    await store(tx, stored)
    return outcomes
  }

  const replace: Write<Target & { body: Body }, { record: Part; isNew: boolean }> = {
    name: `replace${name}`,
    rowOf: ({ id }) => id,
    async run(tx, inputs) {
      const steps = inputs.map((input) => {
        const { body, ...target } = input
        const next = (before: Part | undefined) => {
          const after = partOf(input.id, body)
          return before && tagOf(before) === tagOf(after) ? before : after
        }
        return { ...target, input, next }
      })
      const outcomes = await apply(tx, steps)
      return outcomes.map((outcome) => {
        if ('refusal' in outcome) return outcome
        const { before, after } = outcome.value
        return { value: { record: after as Part, isNew: before === undefined } }
      })
    },
  }

  const remove: Write<Target, null> = {
    name: `delete${name}`,
    rowOf: ({ id }) => id,
    async run(tx, inputs) {
      const steps = inputs.map((input) => ({
        ...input,
        input,
        next(before: Part | undefined) {
          if (before === undefined) throw petHasNo(noun, input.id)
          return null
        },
      }))
      const outcomes = await apply(tx, steps)
      return outcomes.map((outcome) => ('refusal' in outcome ? outcome : { value: null }))
    },
  }

  const petsCheck = defineCheck({
    name: `${noun}Pets`,
    promise: `the pet of each ${noun} record exists`,
    async *find(sql, checkTime) {
      for await (const step of stepsOf(sql, table.table, checkTime)) {
        for (const id of await selectOrphans(sql, table.table, step, 'pets')) {
          const message = `Row ${id} of ${table.table} belongs to a pet that does not exist.`
          yield findingOf(table.table, id, message, 'delete it')
        }
      }
    },
    repair: oneByOne<RecordName, null>({
      name: `deleteOrphaned${name}`,
      async run(tx, record) {
        const id = BigInt(record.id)
        const data = (await selectByIds(tx, table, [id])).get(id)
        if (data === undefined || (await lockRows(tx, 'pets', [id])).has(id)) return null
        await table.delete(tx, [id])
        tx.record(record, { type: `${noun}.deleted`, record: 'pet', id, data: data as object })
        return null
      },
    }),
  })

  return {
    replace,
    delete: remove,
    petsCheck,
    /** Changes the members that are sent of the parts of existing pets. */
    change: (tx: Tx, input: unknown, changes: readonly { id: bigint; body: Body }[]) =>
      apply(
        tx,
        changes.map(({ id, body }) => ({
          ...{ id, input },
          next: (before) => partOf(id, body, before as object | undefined),
        })),
      ),
  }
}
