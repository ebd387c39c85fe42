import type { CallerContext } from '../../context/context.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { JsonText } from '../../db/lists/page.ts'
import { selectEvent } from './queries.ts'
import { mayRead } from './readable-types.ts'

/** One event by its id. Throws `not_found`, also where the caller may not read its record. */
export async function getEvent(context: CallerContext, id: bigint): Promise<JsonText> {
  const event = await context.db.read(selectEvent, id)
  if (event && mayRead(context, event.type)) return event.text
  throw new ServiceError('not_found', `There is no event with the id ${id} that this key may read.`)
}
