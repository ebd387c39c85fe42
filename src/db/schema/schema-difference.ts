import { damagedError } from '../errors.ts'

/** How the schema of a database differs from the one that the migrations make. Type and name are the database's own text. */
export type SchemaDifference = {
  /** In the database; `foreign`: no migration made it. */
  kind: 'missing' | 'changed' | 'foreign'
  /** `table`, `index`, `trigger`, `view`, or what else the database says. */
  type: string
  name: string
}

/** A table, an index, a trigger and so on, with what defines it. */
export type SchemaObject = { type: string; name: string; definition: string }

/** Compares objects by name. An index that became unique, or was, is a changed one. */
export function compareObjects(
  expected: readonly SchemaObject[],
  found: readonly SchemaObject[],
): SchemaDifference[] {
  const missing = new Map(expected.map((object) => [idOf(object), object]))
  const differences: SchemaDifference[] = []
  for (const object of found) {
    const { type, name, definition } = object
    const own = missing.get(idOf(object))
    // A second object of this name is foreign.
    missing.delete(idOf(object))
    if (!own) differences.push({ kind: 'foreign', type, name })
    else if (own.definition !== definition) differences.push({ kind: 'changed', type, name })
  }
  for (const { type, name } of missing.values()) differences.push({ kind: 'missing', type, name })
  return differences
}

function idOf({ type, name }: SchemaObject): string {
  return JSON.stringify([type.replace('unique ', ''), name])
}

/** The most that a sentence names. */
const namedMax = 5
const lengthMax = 100

const states = { missing: 'is missing', changed: 'was changed', foreign: 'is foreign' } as const

/** The differences, as a clause, such as `the index pets_status is missing; the trigger theft is foreign`. */
export function describeDifferences(differences: readonly SchemaDifference[]): string {
  const named = differences
    .slice(0, namedMax)
    .map(({ kind, type, name }) => `the ${shown(`${type} ${name}`)} ${states[kind]}`)
  const others = differences.length - named.length
  return [...named, ...(others > 0 ? [`${others} more differ`] : [])].join('; ')
}

/** A name may have characters that control a terminal. */
function shown(text: string): string {
  return text.slice(0, lengthMax).replaceAll(/[^ -~]/g, '?')
}

/**
 * Whether a start refuses a store with this difference. A missing index is not fatal: queries are slow but correct. On
 * PostgreSQL neither is a changed index that is not unique (SQLite does not report which are), nor a trigger that others
 * added on purpose.
 */
function isFatal({ kind, type }: SchemaDifference, engine: 'sqlite' | 'postgres'): boolean {
  if (kind === 'foreign') return engine === 'sqlite' && type === 'trigger'
  return type !== 'index' || (engine === 'sqlite' && kind === 'changed')
}

/** What an operator can do about differences. Data are lost only with a table or a column. */
export function remedyFor(differences: readonly SchemaDifference[]): string {
  const isLossy = differences.some(
    ({ kind, type }) => kind === 'missing' && (type === 'table' || type === 'column'),
  )
  return isLossy ? 'undo these changes, or restore a backup' : 'undo these changes'
}

/** Warns of the differences of a store that is to be served. Throws `damaged` where one is fatal. */
export function enforceSchema(
  differences: readonly SchemaDifference[],
  {
    name,
    engine,
    warn,
  }: { name: string; engine: 'sqlite' | 'postgres'; warn(sentence: string): void },
): void {
  if (differences.length === 0) return
  const sentence = `${name} has another schema than its migrations make: ${describeDifferences(differences)}.`
  if (differences.some((difference) => isFatal(difference, engine))) {
    throw damagedError(`${sentence} Nothing was changed; ${remedyFor(differences)}.`)
  }
  warn(sentence)
}
