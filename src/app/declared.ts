import type { Declared } from '../db/storage.ts'
import { storage } from './storage.ts'

/** The declared storage, for what also works in threads. */
export const declared: Declared = {
  storage,
  storageUrl: new URL('./storage.ts', import.meta.url).href,
}
