import type { Context, LogPositions } from '../../context/context.ts'
import { selectPositions } from './queries.ts'

/** Between which positions the log can be read. */
export function getPositions({ db }: Pick<Context, 'db'>): Promise<LogPositions> {
  return db.read(selectPositions, undefined)
}
