import { rulesOf } from '../../contract/member.ts'
import { linesPattern, textPattern } from '../../contract/text-rules.ts'
import type * as Type from '../../contract/type.ts'
import type { Column, Row, Sql, Value } from '../db.ts'
import type { Computation, Table } from '../storage.ts'
import { DamagedRow } from './damaged-row.ts'
import { presentMembers } from './rows.ts'
import { storedAs } from './stored-as.ts'

type Options<Item> = {
  /** Of the events about its rows, where that is not the name of the schema. */
  kind?: string
  /** How members that are not stored follow from those before them. */
  derive?: { [Name in keyof Item]?: (item: Item) => Item[Name] }
  computed?: Readonly<Record<string, Computation & { from: keyof Item & string }>>
}

type Members = Record<string, unknown>

/**
 * The rows of the records with this schema: the columns to select, the id first, and `itemOf`, which reads a row of these and
 * throws DamagedRow; and the statements that change rows, built once.
 */
export function defineTable<Schema extends Type.TObject>(
  table: string,
  schema: Schema,
  options: Options<Type.Static<Schema>> = {},
) {
  type Item = Type.Static<Schema>
  const { computed = {} } = options
  const { properties } = schema
  const { $id = '', required = [] } = schema as { $id?: string; required?: readonly string[] }
  const derive = (options.derive ?? {}) as Record<string, (item: Item) => unknown>
  const parts = Object.entries(properties).flatMap(([member, schema]): Part[] => {
    const { column = snakeCased(member), isApart, isUnrecorded } = rulesOf(schema)
    const common = { member, isOptional: !required.includes(member), isApart, isUnrecorded }
    const within = (schema as { properties?: Type.TProperties }).properties
    if (!within) return [{ ...common, column, ...storedAs(schema) }]
    return Object.entries(within).map(([part, schema]) => ({
      ...{ ...common, part, column: `${column}_${snakeCased(part)}` },
      ...storedAs(schema),
    }))
  })
  const checked = Object.entries(properties).flatMap(([name, schema]) => {
    const { isSound } = rulesOf(schema)
    return isSound ? [{ name, isSound }] : []
  })
  const stored = parts.filter((part): part is StoredPart => part.column !== null)
  const [id, ...others] = stored as [StoredPart, ...StoredPart[]]
  const computations = Object.entries(computed).map(([column, { from, compute }]) => ({
    column,
    member: from,
    type: 'text' as const,
    write: (text: unknown) => compute(text as string),
    source: snakeCased(from),
  }))
  const written = [...others.filter(({ isApart }) => !isApart), ...computations]
  const writtenColumns = written.map(({ column: name, type }): Column => ({ name, type }))
  const allColumns = [{ name: id.column, type: id.type }, ...writtenColumns]
  const names = allColumns.map(({ name }) => name).join(', ')
  // A computed column keeps its value as long as its source does: a migration may have left it out.
  const replaced = written.map(({ column }) => {
    const source = computations.find((one) => one.column === column)?.source
    if (source === undefined) return `${column} = excluded.${column}`
    return `${column} = case when ${table}.${source} = excluded.${source} then ${table}.${column} else excluded.${column} end`
  })
  const replaceText = (from: string) =>
    `insert into ${table} (${names}) select ${names} from ${from} where true on conflict (${id.column}) do update set ${replaced.join(', ')}`

  return {
    table,
    schema,
    members: Object.keys(properties) as (keyof Item & string)[],
    columns: stored.map(({ column }) => column).join(', '),
    itemOf(row: Row): Item {
      const item: Members = {}
      let at = 0
      for (const part of parts) {
        if (part.column === null) {
          const value = derive[part.member]?.(item as Item)
          if (value !== undefined) item[part.member] = value
          continue
        }
        const value = row[at++] as Value
        if (!isSoundIn(part, value)) throw damaged(row)
        if (value === null) continue
        const { member } = part
        if (part.part === undefined) item[member] = part.read(value)
        else item[member] = { ...(item[member] as object), [part.part]: part.read(value) }
      }
      for (const { name, isSound } of checked)
        if (item[name] !== undefined && !isSound(item[name]))
          throw new DamagedRow(table, row[0], name)
      return item as Item
    },
    /** A record after a change, of which null removes a member. */
    changed(item: Item, change: object): Item {
      const members: Members = { ...item, ...change }
      const entries = Object.keys(properties).map((member) => [member, members[member]])
      return presentMembers<Members>(Object.fromEntries(entries)) as Item
    },
    /** Inserts records that have no ids yet; returns the ids. */
    insert: (sql: Sql, items: readonly object[]) =>
      sql.insert(
        table,
        writtenColumns,
        items.map((item) => valuesOf(written, item)),
      ),
    /** Stores records under the ids that they have, in place of those that there are. */
    async replace(sql: Sql, items: readonly Item[]): Promise<void> {
      if (items.length === 0) return
      const { from, parameters } = sql.rows(
        allColumns,
        items.map((item) => valuesOf([id, ...written], item as Members)),
      )
      await sql.all(replaceText(from), parameters)
    },
    async delete(sql: Sql, ids: readonly bigint[]): Promise<void> {
      if (ids.length === 0) return
      await sql.all(`delete from ${table} where ${sql.isAnyOf(id.column, '?1')}`, [sql.set(ids)])
    },
    /** What `storage.ts` declares. */
    declared: {
      ...(id.member === 'id' && { assignsIds: true as const }),
      computed,
      texts: textsIn(properties, textPattern),
      lines: textsIn(properties, linesPattern),
      recorded: {
        kind: options.kind ?? $id.toLowerCase(),
        columns: stored
          .filter(({ isApart, isUnrecorded }) => !isApart && !isUnrecorded)
          .map(({ column }) => column),
        ...(id.member !== 'id' && { isPart: true as const }),
      },
    } satisfies Omit<Table, 'name'>,
  }

  function damaged(row: Row): DamagedRow {
    const found = stored.filter((part, at) => !isSoundIn(part, row[at]))
    return new DamagedRow(table, row[0], found.map(({ column }) => column).join(', '))
  }
}

/** The rows of the records with a schema. */
export type RecordTable<Schema extends Type.TObject> = ReturnType<typeof defineTable<Schema>>

type Part = ReturnType<typeof storedAs> & {
  member: string
  /** A member of an object has a column for each of its own. */
  part?: string
  column: string | null
  isOptional: boolean
  isApart: true | undefined
  isUnrecorded: true | undefined
}

type StoredPart = Part & { column: string }

function valuesOf(
  parts: readonly Pick<StoredPart, 'member' | 'part' | 'write'>[],
  item: object,
): Row {
  return parts.map(({ member, part, write }) => {
    const whole = (item as Members)[member]
    const value = part === undefined ? whole : (whole as Members | undefined)?.[part]
    return value === undefined ? null : write(value)
  })
}

function isSoundIn(
  { isOptional, isSound }: Pick<StoredPart, 'isOptional' | 'isSound'>,
  value: unknown,
): boolean {
  return value === null ? isOptional : isSound(value)
}

/** The maximum lengths of the texts of clients with this pattern, by column. */
function textsIn(properties: Type.TProperties, wanted: string): Record<string, number> {
  const texts = Object.entries(
    properties as Record<string, { pattern?: string; maxLength: number }>,
  )
  return Object.fromEntries(
    texts
      .filter(([, { pattern }]) => pattern === wanted)
      .map(([member, { maxLength }]) => [snakeCased(member), maxLength]),
  )
}

function snakeCased(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
