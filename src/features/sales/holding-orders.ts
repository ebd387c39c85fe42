import type { Sql } from '../../db/db.ts'
import { selectOpenOrderIds } from './queries.ts'

/** How many orders a message names. */
const namedMax = 5

/** Names the open orders of a pet for a message: ` (order 3)`, ` (orders 3, 5 and others)`. */
export async function namesOfHoldingOrders(sql: Sql, petId: bigint): Promise<string> {
  const ids = await selectOpenOrderIds(sql, petId, namedMax + 1)
  const named = ids.slice(0, namedMax).map(String)
  if (ids.length === 0) return ''
  if (ids.length === 1) return ` (order ${named[0]})`
  const last = ids.length > namedMax ? 'others' : named.pop()
  return ` (orders ${named.join(', ')} and ${last})`
}
