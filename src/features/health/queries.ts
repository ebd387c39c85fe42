import { defineBatch } from '../../db/db.ts'

/** Updates one row: it succeeds when the store can commit. */
export const updateReadiness = defineBatch<number, null>({
  name: 'updateReadiness',
  isOneStatement: true,
  async runMany(sql, instants) {
    await sql.all('update readiness set probed_at = ?1', [Math.max(...instants)])
    return instants.map(() => null)
  },
})
