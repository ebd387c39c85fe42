import { requireEvents } from '../events.ts'
import { readerOf } from './clients.ts'
import { type CreateRecord, checkCreates, type WirePet } from './creates.ts'

/** As `checkCreates`; the events too must be those of the record, and lead to what the lists return. */
export async function checkStore(
  target: { baseUrl: string; key: string },
  record: CreateRecord,
): Promise<WirePet[]> {
  const listed = await checkCreates(target, record)
  const reader = readerOf({ baseUrls: [target.baseUrl], key: target.key }, 0)
  const asked = [...record.attempts].map(([subject, { outcome }]) => ({ subject, outcome }))
  await requireEvents(
    reader,
    record.log,
    asked.map((one) => ({ type: 'pet.created', ...one })),
  )
  return listed
}
