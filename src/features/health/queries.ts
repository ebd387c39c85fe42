import { defineWrite, type Query } from '../../db/db.ts'

/** Updates one row: it succeeds when the store can commit. */
export const updateReadiness = defineWrite<number, null>({
  name: 'updateReadiness',
  async run(tx, instants) {
    await tx.last.all('update readiness set probed_at = ?1', [Math.max(...instants)])
    return instants.map(() => ({ value: null }))
  },
})

/** Fails where one of these tables is missing; reads no rows. */
export const selectNothing: Query<readonly string[], null> = {
  key: (tables) => tables.join(),
  async run(sql, inputs) {
    for (const tables of inputs)
      await sql.all(tables.map((table) => `select 1 from ${table} where 1 = 0`).join(' union all '))
    return inputs.map(() => null)
  },
}
