import { defineWrite } from '../../db/db.ts'

/** Updates one row: it succeeds when the store can commit. */
export const updateReadiness = defineWrite<number, null>({
  name: 'updateReadiness',
  async run(tx, instants) {
    await tx.last.all('update readiness set probed_at = ?1', [Math.max(...instants)])
    return instants.map(() => ({ value: null }))
  },
})
