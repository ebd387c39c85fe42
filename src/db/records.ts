import { DamagedRow, isId, isJsonList, isText, isWithin } from './damaged-row.ts'
import type { Row, Value } from './db.ts'
import { isInstant, isoOf } from './instants.ts'

/** How a member is read from its column; null is an absent member. */
type ColumnOf<T> = {
  /** Whether the service may have written the value. */
  isSound(value: unknown): boolean
  read(value: Value): T
  isOptional?: boolean
  /** Where it is not the name of the member in snake case. */
  name?: string
}

/** A member that is not stored, but follows from those before it. */
type Derived<Item, T> = { derive(item: Item): T }

const asStored = <T>(value: Value) => value as T

export const column = {
  /** An id that a table has assigned. */
  id: { isSound: isId, read: asStored<bigint> },
  int64: { isSound: (value: unknown) => typeof value === 'bigint', read: asStored<bigint> },
  /** A client's text. */
  text: { isSound: isText, read: asStored<string> },
  /** Milliseconds since 1970, read as ISO 8601. */
  instant: { isSound: isInstant, read: (ms: Value) => isoOf(ms as bigint) },
  number: (least: number, most: number): ColumnOf<number> => ({
    isSound: (value) => isWithin(value, BigInt(least), BigInt(most)),
    read: Number,
  }),
  oneOf: <const T extends string>(values: readonly T[]): ColumnOf<T> => ({
    isSound: (value) => (values as readonly unknown[]).includes(value),
    read: asStored<T>,
  }),
  /** The JSON text of an array of such items. */
  list: <T>(isItem: (item: unknown) => boolean): ColumnOf<T[]> => ({
    isSound: (value) => isJsonList(value, isItem),
    read: (text) => JSON.parse(text as string),
  }),
  optional: <T>(one: ColumnOf<T>): ColumnOf<T> => ({ ...one, isOptional: true }),
  named: <T>(name: string, one: ColumnOf<T>): ColumnOf<T> => ({ ...one, name }),
}

/**
 * The records of a table: their members, the columns to select, the id first, and `itemOf`, which reads a row of these; it
 * throws DamagedRow.
 */
export function defineRecord<Item extends object>(
  table: string,
  members: { [Name in keyof Item]-?: ColumnOf<Item[Name]> | Derived<Item, Item[Name]> },
) {
  const parts = Object.entries<ColumnOf<unknown> | Derived<Item, unknown>>(members)
  const columns = parts.flatMap(([member, part]) =>
    'derive' in part ? [] : { name: snakeCased(member), ...part },
  )
  return {
    table,
    members: Object.keys(members) as (keyof Item & string)[],
    columns: columns.map(({ name }) => name).join(', '),
    itemOf(row: Row): Item {
      const item: Record<string, unknown> = {}
      let at = 0
      for (const [member, part] of parts) {
        if ('derive' in part) {
          item[member] = part.derive(item as Item)
          continue
        }
        const value = row[at++]
        if (!isSoundIn(part, value)) throw damaged(row)
        if (value !== null) item[member] = part.read(value as Value)
      }
      return item as Item
    },
  }

  function damaged(row: Row): DamagedRow {
    const found = columns.filter((one, at) => !isSoundIn(one, row[at]))
    return new DamagedRow(table, row[0], found.map(({ name }) => name).join(', '))
  }
}

function isSoundIn({ isOptional = false, isSound }: ColumnOf<unknown>, value: unknown): boolean {
  return value === null ? isOptional : isSound(value)
}

function snakeCased(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
