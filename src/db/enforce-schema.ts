import { OpenError } from './errors.ts'
import { describeDifferences, type SchemaDifference } from './schema-difference.ts'

/**
 * Whether a start refuses a store with this difference. A missing index is not fatal: queries are slow but correct. On
 * PostgreSQL neither is a changed index that is not unique (SQLite does not report which are), nor a trigger that others
 * added on purpose.
 */
export function isFatal({ kind, type }: SchemaDifference, engine: 'sqlite' | 'postgres'): boolean {
  if (kind === 'foreign') return engine === 'sqlite' && type === 'trigger'
  return type !== 'index' || (engine === 'sqlite' && kind === 'changed')
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
    throw new OpenError(
      'damaged',
      `${sentence} Nothing was changed; undo these changes, or restore a backup.`,
    )
  }
  warn(sentence)
}
