import { categoriesList, insertCategory } from './categories/queries.ts'
import { deleteExpiredKeys } from './db/once.ts'
import type { Statements } from './db/seam.ts'
import { insertEnvironment } from './environment/queries.ts'
import { updateReadiness } from './health/queries.ts'
import { inventoryList } from './inventory/queries.ts'
import { setQuantity } from './inventory/update-inventory.ts'
import { insertFirstKey, insertKey, updateKeyRevoked, updateKeyUsed } from './keys/queries.ts'
import { placeOrder } from './orders/create-order.ts'
import { expireDueOrders } from './orders/expire-orders.ts'
import { moveOrder } from './orders/move-order.ts'
import { ordersList } from './orders/queries.ts'
import { removePet } from './pets/delete-pet.ts'
import { fillNameKeys, insertPets, petsList } from './pets/queries.ts'
import { changePet } from './pets/update-pet.ts'
import { insertSeed } from './seed/queries.ts'
import { checks } from './verify/checks.ts'

/** What runs away from the serving thread, by name. The threads of the database load this module. */
export const statements: Statements = {
  writes: [
    insertEnvironment,
    insertPets,
    changePet,
    removePet,
    insertCategory,
    placeOrder,
    moveOrder,
    expireDueOrders,
    setQuantity,
    insertKey,
    insertFirstKey,
    updateKeyRevoked,
    updateKeyUsed,
    updateReadiness,
    deleteExpiredKeys,
    insertSeed,
    ...checks.flatMap(({ repair }) => repair ?? []),
  ],
  scans: [
    ...[petsList, categoriesList, ordersList, inventoryList].flatMap(
      ({ search, count }) => [search, count] as never[],
    ),
    ...checks.map(({ scan }) => scan as never),
  ],
  fills: [fillNameKeys],
}
