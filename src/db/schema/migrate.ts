import { readdirSync, readFileSync } from 'node:fs'
import { OpenError } from '../errors.ts'
import type { Backfill } from '../storage.ts'

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

/** The backfills of a migration. */
export function backfillsOf(backfills: readonly Backfill[], name: string): readonly Backfill[] {
  return backfills.filter(({ migration }) => migration === name)
}

/** The last migration of this program. */
export function currentSchema(): string {
  return loadMigrations('sqlite').at(-1)?.name ?? ''
}

/** The migrations to apply. Throws `newerSchema` when the database has unknown ones. */
export function pendingMigrations(
  known: readonly Migration[],
  applied: readonly string[],
  database: string,
): Migration[] {
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
