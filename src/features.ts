import type { Storage } from './db/storage.ts'
import type { Implementation } from './http/implement.ts'

type Feature = {
  /** What it keeps in the database: all that the threads of the database load of it. */
  storage(): Promise<{ storage: Storage }>
  /** What it serves. */
  operations?(): Promise<{ operations: readonly Implementation[] }>
}

/** Every feature, a line each. */
export const features: readonly Feature[] = [
  { storage: () => import('./pets/storage.ts'), operations: () => import('./pets/feature.ts') },
  {
    storage: () => import('./categories/storage.ts'),
    operations: () => import('./categories/feature.ts'),
  },
  { storage: () => import('./orders/storage.ts'), operations: () => import('./orders/feature.ts') },
  {
    storage: () => import('./inventory/storage.ts'),
    operations: () => import('./inventory/feature.ts'),
  },
  { storage: () => import('./keys/storage.ts') },
  { storage: () => import('./environment/storage.ts') },
  { storage: () => import('./health/storage.ts') },
  { storage: () => import('./seed/storage.ts') },
]
