import type { Config } from './config.ts'

/** What is wrong with several processes on SQLite. */
export function problemWithProcesses({ processes = 1, database }: Config): string | undefined {
  if (database.engine === 'postgres' || processes === 1) return undefined
  return `A store in SQLite is served by one process, not by ${processes}. Leave out --processes and PETSTORE_PROCESSES, or move the store to PostgreSQL with petstore backup --last.`
}
