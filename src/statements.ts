import type { Statements } from './db/seam.ts'
import { insertEnvironment } from './environment/queries.ts'
import { updateReadiness } from './health/queries.ts'
import { insertFirstKey, insertKey, updateKeyRevoked, updateKeyUsed } from './keys/queries.ts'
import { countOrders } from './orders/queries.ts'
import { countPets, insertPets } from './pets/queries.ts'

/** What runs away from the serving thread, by name. The threads of the database load this module. */
export const statements: Statements = {
  transactions: [
    insertEnvironment,
    insertPets,
    insertKey,
    insertFirstKey,
    updateKeyRevoked,
    updateKeyUsed,
    updateReadiness,
  ],
  scans: [countPets, countOrders],
}
