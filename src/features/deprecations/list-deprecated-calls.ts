import type { Context } from '../../context/context.ts'
import { selectDeprecatedCalls } from './queries.ts'

/** Who called deprecated operations, the latest day first; `day` as 2026-11-23. */
export async function listDeprecatedCalls({ db }: Pick<Context, 'db'>) {
  const found = await db.read(selectDeprecatedCalls, undefined)
  return found.map(({ day, ...calls }) => ({
    day: new Date(day * 86_400_000).toISOString().slice(0, 10),
    ...calls,
  }))
}
