import { readdirSync, readFileSync } from 'node:fs'
import { configurationError, OpenError } from '../errors.ts'
import { early, tooEarly } from './early.ts'

type Migration = { name: string; sql: string }

const folder = new URL('../../../migrations/', import.meta.url)

/** The numbered files of one engine, in order. */
export function loadMigrations(engine: 'sqlite' | 'postgres'): Migration[] {
  const engineFolder = new URL(`${engine}/`, folder)
  return readdirSync(engineFolder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      name: file.replace(/\.sql$/, ''),
      sql: readFileSync(new URL(file, engineFolder), 'utf8'),
    }))
}

/** The last migration of this program. */
export function currentSchema(): string {
  return loadMigrations('sqlite').at(-1)?.name ?? ''
}

/** The migrations to apply. Throws `newerSchema` when the database has unknown ones, `configuration` for a store of before 1.0.0. */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly string[],
  database: string,
): Migration[] {
  if (applied.includes(early.first))
    throw applied.includes(early.schema) ? madeBefore(database) : tooEarly(database)
  const names = new Set(known.map(({ name }) => name))
  const unknown = applied.filter((name) => !names.has(name))
  if (unknown.length > 0) {
    throw new OpenError(
      'newerSchema',
      `${database} was made by a newer version of this program (${unknown.join(', ')}). Nothing was changed; run that version.`,
    )
  }
  return known.filter(({ name }) => !applied.includes(name))
}

function madeBefore(database: string): OpenError {
  const place = database.startsWith('postgres:') ? '' : `PETSTORE_DATABASE=sqlite:${database} `
  return configurationError(
    `${database} is a store of a version before 1.0.0. Nothing was changed. To put a store of this version with its contents in its place, and keep it under another name: ${place}petstore restore --replace`,
  )
}
