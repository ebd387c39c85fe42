import type { EventTypes } from '../contract/event-type.ts'
import type { Scope } from '../contract/operation.ts'
import type { Storage } from '../db/storage.ts'
import type { Implementation } from '../http/implement.ts'

type Feature = {
  /** Its tables, writes, lists, checks and jobs; worker threads load only this. */
  storage(): Promise<{ storage: Storage }>
  /** Its operations; or what makes them from the types of events of all features. */
  operations?(): Promise<
    | { operations: readonly Implementation[] }
    | { operationsOn(eventTypes: EventTypes): readonly Implementation[] }
  >
  /** What keys may be restricted to. */
  scopes?(): Promise<{ scopes: readonly Scope[] }>
  /** What the log says of its records. */
  eventTypes?(): Promise<{ eventTypes: EventTypes }>
}

/** All features, one a line. */
export const features = [
  {
    storage: () => import('./pets/storage.ts'),
    operations: () => import('./pets/feature.ts'),
    scopes: () => import('./pets/scopes.ts'),
    eventTypes: () => import('./pets/event-types.ts'),
  },
  {
    storage: () => import('./details/storage.ts'),
    operations: () => import('./details/feature.ts'),
    eventTypes: () => import('./details/event-types.ts'),
  },
  {
    storage: () => import('./categories/storage.ts'),
    operations: () => import('./categories/feature.ts'),
    eventTypes: () => import('./categories/event-types.ts'),
  },
  {
    storage: () => import('./photos/storage.ts'),
    operations: () => import('./photos/feature.ts'),
    eventTypes: () => import('./photos/event-types.ts'),
  },
  {
    storage: () => import('./sales/storage.ts'),
    operations: () => import('./sales/feature.ts'),
    scopes: () => import('./sales/scopes.ts'),
    eventTypes: () => import('./sales/event-types.ts'),
  },
  {
    storage: () => import('./keys/storage.ts'),
    operations: () => import('./keys/feature.ts'),
    scopes: () => import('./keys/scopes.ts'),
    eventTypes: () => import('./keys/event-types.ts'),
  },
  {
    storage: () => import('./webhooks/storage.ts'),
    operations: () => import('./webhooks/feature.ts'),
    scopes: () => import('./webhooks/scopes.ts'),
    eventTypes: () => import('./webhooks/event-types.ts'),
  },
  {
    storage: () => import('./events/storage.ts'),
    operations: () => import('./events/feature.ts'),
  },
  { storage: () => import('./deprecations/storage.ts') },
  { storage: () => import('./environment/storage.ts') },
  {
    storage: () => import('./health/storage.ts'),
    operations: () => import('./health/feature.ts'),
  },
] satisfies readonly Feature[]
