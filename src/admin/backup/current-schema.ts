import { loadMigrations } from '../../db/migrate.ts'

/** The last migration of this program. */
export function currentSchema(): string {
  return loadMigrations('sqlite').at(-1)?.name ?? ''
}

/** Whether this is the last migration of this program. */
export function isCurrentSchema(schema: string): boolean {
  return schema === currentSchema()
}
