import type { Storage } from '../db/storage.ts'
import type { Implementation } from '../http/implement.ts'

type Feature = {
  /** Its tables, writes, lists, checks and jobs; worker threads load only this. */
  storage(): Promise<{ storage: Storage }>
  /** Its operations. */
  operations?(): Promise<{ operations: readonly Implementation[] }>
}

/** All features, one a line. */
export const features: readonly Feature[] = [
  {
    storage: () => import('../features/pets/storage.ts'),
    operations: () => import('../features/pets/feature.ts'),
  },
  {
    storage: () => import('../features/categories/storage.ts'),
    operations: () => import('../features/categories/feature.ts'),
  },
  {
    storage: () => import('../features/sales/storage.ts'),
    operations: () => import('../features/sales/feature.ts'),
  },
  { storage: () => import('../features/keys/storage.ts') },
  { storage: () => import('../features/environment/storage.ts') },
  { storage: () => import('../features/health/storage.ts') },
  { storage: () => import('../admin/seed/storage.ts') },
  { storage: () => import('../admin/backup/storage.ts') },
]
