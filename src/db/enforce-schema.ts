import { OpenError } from './errors.ts'
import { describeDifferences, type SchemaDifference } from './schema-difference.ts'

/**
 * Whether a store with this difference is refused. A missing index is not: queries are slow but correct. Nor is a changed one on
 * PostgreSQL, unless it is unique; SQLite does not say which it is. Nor are triggers that others added on PostgreSQL, where they
 * may have reasons for them.
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
