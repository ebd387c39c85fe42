import type { Context } from '../../src/context/context.ts'
import { takeTouchedRows } from './touched-rows.ts'

export type OrderRow = [petId: number, quantity: number, status: string, reference: string | null]

const createdMs = Date.parse('2027-01-01T09:30:00Z')

/** Inserts rows of orders for lists, with any status and pet id. */
export function insertOrders({ db }: Context, rows: readonly OrderRow[]): Promise<unknown> {
  return db.read(
    {
      key: () => '',
      async run(sql, inputs) {
        for (const [petId, quantity, status, reference] of rows) {
          await sql.all(
            `insert into orders (pet_id, quantity, status, reference, created_at, ship_date, expires_at)
            values (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
            [
              petId,
              quantity,
              status,
              reference,
              createdMs,
              status === 'delivered' ? createdMs + 1 : null,
              status === 'pending' ? createdMs + 2 : null,
            ],
          )
        }
        // Nothing records them.
        await takeTouchedRows(sql)
        return [...inputs]
      },
    },
    undefined,
  )
}
