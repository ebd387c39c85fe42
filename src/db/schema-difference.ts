/** How the schema of a database differs from the one that the migrations make. Type and name are the database's own text. */
export type SchemaDifference = {
  /** In the database; `foreign`: no migration made it. */
  kind: 'missing' | 'changed' | 'foreign'
  /** `table`, `index`, `trigger`, `view`, or what else the database says. */
  type: string
  name: string
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
