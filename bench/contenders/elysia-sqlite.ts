import { Database } from 'bun:sqlite'
import { serve } from './elysia.ts'
import { database } from './parts.ts'
import { openStore } from './sqlite.ts'

/** Elysia on Bun, on bun:sqlite. */
serve(openStore(new Database(database)))
