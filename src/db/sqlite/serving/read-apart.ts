import { Damage } from '../../damaged-row.ts'
import type { Query } from '../../db.ts'
import type { Connection } from '../connection.ts'
import { isDamage } from '../failures.ts'

/** Reads each input alone after a damaged page failed their run; the input that meets it gets the Damage. */
export async function readApart<I, O>(
  connection: Connection,
  query: Query<I, O>,
  inputs: readonly I[],
): Promise<O[]> {
  const results: (O | Damage)[] = []
  for (const input of inputs) {
    try {
      results.push(...(await query.run(connection, [input])))
    } catch (error) {
      if (!isDamage(error)) throw error
      results.push(new Damage(describeDamage(error), { cause: error }))
    }
  }
  return results as O[]
}

export function describeDamage(error: Error): string {
  return `The database file is damaged: ${error.message}. Run petstore verify, and restore a backup.`
}
