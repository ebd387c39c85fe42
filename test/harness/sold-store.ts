import { isOnPostgres } from './engine.ts'
import { emptyOnSqlite, soldOnSqlite } from './sold-on-sqlite.ts'
import type { Found } from './verify.ts'

const postgres = isOnPostgres ? await import('./sold-on-postgres.ts') : undefined

/** A store for one test in which `sellInStore` has sold, not served, on the engine of this test run. */
export const soldStore = postgres?.soldOnPostgres ?? soldOnSqlite

/** An empty database for one test. */
export const emptyDatabase = postgres?.emptyOnPostgres ?? emptyOnSqlite

/** The findings when a constraint of the database is violated; PostgreSQL reports none. */
export const brokenRule: Found[] = isOnPostgres ? [] : [['files', null]]
