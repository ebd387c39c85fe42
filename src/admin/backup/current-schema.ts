import { loadMigrations } from '../../db/migrate.ts'

/** Whether this is the last migration of this program. */
export function isCurrentSchema(schema: string): boolean {
  return schema === loadMigrations('sqlite').at(-1)?.name
}
