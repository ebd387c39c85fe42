import type { Context } from '../../../context/context.ts'
import { selectProgress } from '../../../db/idempotency.ts'
import { type ImportProgress, importPetsOperation, type ProgressQuery } from './contract.ts'
import type { Progress } from './store-rows.ts'

/** How far the import of an Idempotency-Key has come: zeros where nothing of it is stored. */
export async function getImport(
  { db, clock, actor }: Context,
  { idempotencyKey: key = '' }: ProgressQuery,
): Promise<ImportProgress> {
  if (!actor) throw new Error('An import belongs to a key.')
  const { operationId: operation } = importPetsOperation
  const claim = { keyId: actor.keyId, operation, key, now: clock() }
  const stored = (await db.read(selectProgress, claim)) as Progress | undefined
  const { rows = 0, created = 0, updated = 0, refused = 0 } = stored ?? {}
  return { rows, created, updated, refused }
}
