import type { Db, Origin } from './db.ts'

/** The database for a job or a command: its writes have this origin. */
export function withOrigin(db: Db, originNow: () => Origin): Db {
  return { ...db, write: (write, input) => db.write(write, input, originNow()) }
}
