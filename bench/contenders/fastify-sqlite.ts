import { DatabaseSync } from 'node:sqlite'
import { serve } from './fastify.ts'
import { database } from './parts.ts'
import { openStore } from './sqlite.ts'

/** Fastify 5 on node:sqlite. */
await serve(openStore(new DatabaseSync(database)))
