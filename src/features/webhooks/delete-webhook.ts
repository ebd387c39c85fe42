import type { Context } from '../../context/context.ts'
import { endWebhook } from './queries.ts'

/** Deletes a webhook: nothing more is sent to it. Throws `not_found`. */
export function deleteWebhook({ db }: Context, id: bigint): Promise<null> {
  return db.write(endWebhook, { id })
}
