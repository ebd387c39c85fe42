import { oneByOne, type Tx } from '../../../db/db.ts'
import { lockById } from '../../../db/lists/by-id.ts'
import { isoOf } from '../../../db/records/instants.ts'
import { noteMissed, webhooks, webhookWrites } from '../queries.ts'
import { takeDue, updateDeliveries, updateFailingSince } from './queries.ts'
import type { Result, Taken } from './result-of.ts'

/** A webhook that fails for so long without a success is disabled. */
const failingMaxMs = 5 * 86_400_000

/** What became of deliveries, and how many of which webhooks the process can send now. */
type Exchange = {
  now: number
  /** When the process began, on the clock of the machine. */
  startedMs: number
  results: readonly Result[]
  rooms: readonly { webhookId: bigint; max: number }[]
}

/**
 * Stores results, disables webhooks that are gone or have failed for too long, and takes deliveries that are due: until their
 * leases end, no other process sends them.
 */
export const exchangeDeliveries = oneByOne<Exchange, Taken[]>({
  name: 'exchangeDeliveries',
  async run(tx, input) {
    const { results, rooms } = input
    const succeeded = new Set(
      results.filter(({ status }) => status === 'succeeded').map(({ webhookId }) => webhookId),
    )
    const failed = Map.groupBy(
      results.filter(({ fault }) => fault),
      ({ webhookId }) => webhookId,
    )
    // As all that lock both: webhooks before their deliveries, in the order of ids.
    for (const [id, faults] of [...failed].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const gone = faults.flatMap(({ fault }) => (fault?.isGone ? fault.url : []))
      if (gone.length > 0 || !succeeded.has(id)) await storeFailure(tx, input, { id, gone })
    }
    if (succeeded.size > 0) await updateFailingSince(tx, [...succeeded], null)
    await updateDeliveries(tx, results)
    const taken: Taken[] = []
    for (const room of rooms) taken.push(...(await takeDue(tx, room, input)))
    return taken
  },
})

async function storeFailure(
  tx: Tx,
  input: Exchange,
  { id, gone }: { id: bigint; gone: readonly string[] },
): Promise<void> {
  const before = await lockById(tx, webhooks, id)
  if (!before) return
  const { url, status, failingSince = isoOf(input.now) } = before
  const isGone = gone.includes(url)
  const hasFailedLong = input.now - Date.parse(failingSince) >= failingMaxMs
  if (status === 'disabled' || !(isGone || hasFailedLong))
    return updateFailingSince(tx, [id], input.now)
  const disabledReason = isGone ? 'gone' : 'failing'
  const after = { ...before, failingSince, status: 'disabled', disabledReason } as const
  await noteMissed(tx, [id])
  await webhookWrites.change(tx, input, 'disabled', { before, after })
}
