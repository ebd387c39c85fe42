import { defineStorage } from '../../db/storage.ts'
import { insertSeed } from './queries.ts'

/** Demo data goes into the tables of the features. */
export const storage = defineStorage({ writes: [insertSeed] })
