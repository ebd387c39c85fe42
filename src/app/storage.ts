import { storage as backupStorage } from '../admin/backup/storage.ts'
import { storage as seedStorage } from '../admin/seed/storage.ts'
import { filesStorage, rowsStorage, schemaStorage } from '../db/checks/storage.ts'
import { storeMarkStorage } from '../db/schema/store-mark.ts'
import { combineStorage, defineStorage } from '../db/storage.ts'
import { idempotencyStorage } from '../db/writes/idempotency-storage.ts'
import { features } from '../features/features.ts'
import { keysCheck } from '../features/keys/check-keys.ts'
import { scopes } from '../features/scopes.ts'

const modules = await Promise.all(features.map(({ storage }) => storage()))
const ofFeatures = combineStorage([
  ...modules.map(({ storage }) => storage),
  defineStorage({ checks: [keysCheck(scopes)] }),
  seedStorage,
  backupStorage,
])

/**
 * The declared tables, transactions, lists and checks of all features. The worker threads of the database load this
 * module.
 */
export const storage = combineStorage([
  filesStorage,
  schemaStorage,
  ofFeatures,
  rowsStorage(ofFeatures.tables),
  idempotencyStorage,
  storeMarkStorage,
])
