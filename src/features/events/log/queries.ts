import { stringifyJson } from '../../../contract/int64-json.ts'
import type { Log, LoggedChange, Origin } from '../../../db/db.ts'
import { columnsOf } from '../../../db/records/rows.ts'
import { idAbove } from '../../../db/schema/last-ids.ts'

export const log: Log = {
  table: 'events',
  columns: [
    ...columnsOf('bigint', 'record_id', 'created_at'),
    ...columnsOf('text', 'type', 'record', 'data', 'previous', 'actor'),
    ...columnsOf('text', 'request_id', 'traceparent'),
  ],
  rowsOf(changes) {
    const encodeActor = actorEncoder()
    return changes.map((change) => {
      const { type, record, id, data, origin, actor = origin.actor } = change
      return [
        id,
        origin.now,
        type,
        record,
        stringifyJson(data),
        previousOf(change),
        encodeActor(actor),
        origin.requestId ?? null,
        origin.traceparent ?? null,
      ]
    })
  },
  async restart(sql) {
    // One more, so that the last position that anybody may know is not in the new log either.
    const last = idAbove(await sql.lastId('events'), 1n)
    await sql.skipIds('events', last)
    await sql.all('delete from events')
    // A damaged store may have lost the row.
    await sql.all('delete from events_feed')
    await sql.all(
      `insert into events_feed (id, pruned_to, counted_to, counted, fanned_out_to)
      values (1, ?1, ?1, 0, ?1)`,
      [last],
    )
  },
}

/** Encodes each actor once: most changes of a batch share one. */
function actorEncoder(): (actor: Origin['actor']) => string {
  const texts = new Map<Origin['actor'], string>()
  return (actor) => {
    let text = texts.get(actor)
    if (text === undefined) {
      text = stringifyJson(actor)
      texts.set(actor, text)
    }
    return text
  }
}

/** The members that changed, as they were, null for a new one; null where there was no record before. */
function previousOf({ data, before }: LoggedChange): string | null {
  if (!before) return null
  const [was, is] = [before, data] as Record<string, unknown>[]
  const changed = Object.keys({ ...was, ...is }).flatMap((name) => {
    const value = was?.[name] ?? null
    return stringifyJson(value) === stringifyJson(is?.[name] ?? null) ? [] : [[name, value]]
  })
  return stringifyJson(Object.fromEntries(changed))
}
