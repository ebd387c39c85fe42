import { categoriesStorage } from './categories/storage.ts'
import { idempotencyStorage } from './db/idempotency-storage.ts'
import { combineStorage } from './db/storage.ts'
import { environmentStorage } from './environment/storage.ts'
import { healthStorage } from './health/storage.ts'
import { inventoryStorage } from './inventory/storage.ts'
import { keysStorage } from './keys/storage.ts'
import { ordersStorage } from './orders/storage.ts'
import { petsStorage } from './pets/storage.ts'
import { seedStorage } from './seed/storage.ts'
import { filesStorage } from './verify/files.ts'
import { rowsStorage } from './verify/rows-storage.ts'

const features = combineStorage([
  petsStorage,
  ordersStorage,
  inventoryStorage,
  categoriesStorage,
  keysStorage,
  environmentStorage,
  healthStorage,
  seedStorage,
])

/** All that is stored, and all that runs where the database is. The threads of the database load this module. */
export const storage = combineStorage([
  filesStorage,
  features,
  rowsStorage(features.tables),
  idempotencyStorage(features),
])
