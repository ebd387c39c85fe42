import type { Db, Origin } from '../db.ts'

/** The database for a job or a command: its writes have this origin, unless they name another. */
export function withOrigin(db: Db, actor: Origin['actor'], clock: () => number): Db {
  return {
    ...db,
    write: (write, input, origin = { actor, now: clock() }) => db.write(write, input, origin),
  }
}
