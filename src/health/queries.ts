import type { Transaction } from '../db/seam.ts'

/** Rewrites one row: done once the store can commit. */
export const updateReadiness: Transaction<number, null> = {
  name: 'updateReadiness',
  together: true,
  async run(sql, instants) {
    await sql.all('update readiness set probed_at = ?1', [Math.max(...instants)])
    return instants.map(() => ({ value: null }))
  },
}
