import { defineBatch } from '../../db/seam.ts'

/** Rewrites one row: done once the store can commit. */
export const updateReadiness = defineBatch<number, null>({
  name: 'updateReadiness',
  async runMany(sql, instants) {
    await sql.all('update readiness set probed_at = ?1', [Math.max(...instants)])
    return instants.map(() => null)
  },
})
