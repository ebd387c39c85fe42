import type { LogPositions } from '../../context/context.ts'
import type { Query, Row, Scan, Sql } from '../../db/db.ts'
import { compileInOrder, where } from '../../db/lists/condition.ts'
import type { JsonText, Page } from '../../db/lists/page.ts'
import type { PageRequest } from '../../db/lists/select-page.ts'
import { scanStep } from '../../db/lists/steps.ts'
import {
  type DamagedRow,
  isId,
  isText,
  orDamage,
  readSound,
  requireSound,
} from '../../db/records/damaged-row.ts'
import { isInstant, isoOf } from '../../db/records/instants.ts'
import { queryOnce } from '../../db/records/rows.ts'

const columns = 'id, type, created_at, data, previous, actor, request_id, traceparent'

/** What a caller may see, and asks for. */
type EventsFilter = {
  /** Undefined, all. */
  types: readonly string[] | undefined
  /** The kind of the record, and its id. */
  record?: string | undefined
  recordId?: bigint | undefined
}

/** The events of a range that are damaged; they are passed over. */
type PassedOver = { damaged: readonly DamagedRow[] }

/** A page of events, or, where its position is not in the log, the first id that is; undefined where there is none. */
type EventsPage = (Page<JsonText> & PassedOver) | { oldest: bigint | undefined }

/** The most rows that a page walks over, whatever it shows of them. */
const walkedMax = 5_000

type PageInput = { filter: EventsFilter; page: PageRequest }

export const selectEvents: Query<PageInput, EventsPage> = {
  key: ({ filter, page }) =>
    `${page.limit} ${page.sort} ${page.after} ${filter.record} ${filter.recordId} ${filter.types}`,
  async run(sql, inputs) {
    const ends = await selectEnds(sql)
    const found: EventsPage[] = []
    for (const { filter, page } of inputs) found.push(await selectPage(sql, filter, page, ends))
    const prunedTo = await selectPrunedTo(sql)
    const isKept = inputs.map(({ page }) => !isOutside({ ...ends, prunedTo }, page))
    const oldest = isKept.every(Boolean) ? undefined : await selectOldest(sql, prunedTo)
    return found.map((page, index) => (isKept[index] ? page : { oldest }))
  },
}

/** Up to where events are deleted, and up to where all of them are visible. */
type Ends = { prunedTo: bigint; settled: bigint; last: bigint }

/** `settled` is read before the events, so that it does not promise any that are not visible. */
async function selectEnds(sql: Sql): Promise<Ends> {
  const { settled, last } = await sql.settledIds('events')
  const prunedTo = await selectPrunedTo(sql)
  return { prunedTo, settled: highest(settled, prunedTo), last: highest(last, prunedTo) }
}

/** Positions outside of these are no longer in the log, or not yet. */
export const selectPositions = queryOnce(async (sql): Promise<LogPositions> => {
  const { prunedTo: oldest, settled: newest } = await selectEnds(sql)
  return { oldest, newest }
})

function highest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** Read again after the events: what was deleted meanwhile is not among them. */
async function selectPrunedTo(sql: Sql): Promise<bigint> {
  const [row] = await sql.all<[bigint]>('select pruned_to from events_feed')
  return row?.[0] ?? 0n
}

/** Whether events behind this position are deleted, or it is that of another log. */
function isOutside(
  { prunedTo, last }: Ends,
  { sort, after }: Pick<PageRequest, 'sort' | 'after'>,
): boolean {
  return sort === 'id' && after !== undefined && (after < prunedTo || after > last)
}

async function selectOldest(sql: Sql, prunedTo: bigint): Promise<bigint | undefined> {
  const [row] = await sql.all<[bigint]>('select id from events where id > ?1 order by id limit 1', [
    prunedTo,
  ])
  return row?.[0]
}

function conditionsOf({ record, recordId }: EventsFilter) {
  return [
    ...(record === undefined ? [] : [{ column: 'record', equals: record }]),
    ...(recordId === undefined ? [] : [{ column: 'record_id', equals: recordId }]),
  ]
}

async function selectPage(
  sql: Sql,
  filter: EventsFilter,
  { limit, sort, after }: PageRequest,
  { prunedTo, settled: position }: Ends,
): Promise<Page<JsonText> & PassedOver> {
  const { types } = filter
  const damaged: DamagedRow[] = []
  if (types?.length === 0) return { items: [], next: undefined, position, damaged }
  const conditions = conditionsOf(filter)
  const behindEnd = after === undefined || after > position ? position + 1n : after
  const range =
    sort === 'id' ? { sort, after: after ?? prunedTo, end: position } : { sort, after: behindEnd }
  const { clauses, parameters, order } = compileInOrder(sql, conditions, range)
  const bind = (value: string | number) => `?${parameters.push(value)}`
  const walked = `from events ${where(clauses)} order by ${order} limit ${bind(walkedMax)} + 0`
  const isAscending = sort === 'id'
  const ofTypes = types ? `where type in (${types.map(bind).join(', ')})` : ''
  const rows = await sql.all(
    `select ${columns} from (select * ${walked}) as walked ${ofTypes}
    order by id ${isAscending ? 'asc' : 'desc'} limit ${bind(limit + 1)} + 0`,
    parameters,
  )
  const shown = rows.slice(0, limit)
  const found = { items: readSound(shown, textOf, damaged), position, damaged }
  if (rows.length > limit) return { ...found, next: shown.at(-1)?.[0] as bigint }
  if (!types) return { ...found, next: undefined }
  const compiled = compileInOrder(sql, conditions, range)
  const [end] = await sql.all<[bigint, bigint | null]>(
    `select count(*), ${isAscending ? 'max' : 'min'}(id) from (select id from events
    ${where(compiled.clauses)} order by ${compiled.order} limit ?${compiled.parameters.push(walkedMax)} + 0) as walked`,
    compiled.parameters,
  )
  const hasMore = end?.[0] === BigInt(walkedMax)
  return { ...found, next: hasMore ? (end?.[1] ?? undefined) : undefined }
}

/** Counts the events of a filter, in steps, so that `checkTime` can end it. */
export const countEvents: Scan<EventsFilter, number> = {
  name: 'eventsCount',
  key: ({ types, record, recordId }) => `${record} ${recordId} ${types}`,
  async run(sql, filter, checkTime) {
    const { settled } = await selectEnds(sql)
    let total = 0
    let after: bigint | null = 0n
    while (after !== null) {
      checkTime()
      const conditions = conditionsOf(filter)
      const range = { sort: 'id', after, end: settled } as const
      const { clauses, parameters, order } = compileInOrder(sql, conditions, range)
      const types = filter.types?.map((type) => `?${parameters.push(type)}`)
      const [row]: [bigint, bigint | null][] = await sql.all<[bigint, bigint | null]>(
        `select sum(case when ${types ? `type in (${types.join(', ')})` : '1 = 1'} then 1 else 0 end), max(id)
        from (select id, type from events ${where(clauses)} order by ${order} limit ${scanStep}) as step`,
        parameters,
      )
      total += Number(row?.[0] ?? 0n)
      after = row?.[1] ?? null
    }
    return total
  },
}

/** An event of the feed. */
export type FeedEvent = {
  id: bigint
  type: string
  record: string
  recordId: bigint
  createdAt: number
  traceparent: string | undefined
  text: JsonText
}

type NextEvents = PassedOver & { events: FeedEvent[]; position: bigint; isEnd: boolean }

/** The position is not in the log, which begins behind this one. */
type Outside = { prunedTo: bigint }

/** The next events of the whole log after a position, and the position behind them; without one, only its end. */
export const selectAfter: Query<
  { after: bigint | undefined; limit: number },
  NextEvents | Outside
> = {
  key: ({ after, limit }) => `${after} ${limit}`,
  async run(sql, inputs) {
    const ends = await selectEnds(sql)
    const found: NextEvents[] = []
    for (const { after, limit } of inputs) {
      if (after === undefined)
        found.push({ events: [], position: ends.settled, isEnd: true, damaged: [] })
      else found.push(await selectNext(sql, { after, limit }, ends))
    }
    const prunedTo = await selectPrunedTo(sql)
    return found.map((events, index) => {
      const position = { sort: 'id', after: inputs[index]?.after } as const
      return isOutside({ ...ends, prunedTo }, position) ? { prunedTo } : events
    })
  },
}

async function selectNext(
  sql: Sql,
  { after, limit }: { after: bigint; limit: number },
  { settled }: Ends,
): Promise<NextEvents> {
  const rows = await sql.all(
    `select ${columns}, record, record_id from events where id > ?1 and id <= ?2 order by id limit ?3 + 0`,
    [after, settled, limit],
  )
  const damaged: DamagedRow[] = []
  const events = readSound(rows, feedEventOf, damaged)
  const isEnd = rows.length < limit
  const seen = (rows.at(-1)?.[0] as bigint | undefined) ?? after
  return { events, position: isEnd ? highest(seen, settled) : seen, isEnd, damaged }
}

/** Throws DamagedRow. */
function feedEventOf(row: Row): FeedEvent {
  const [traceparent, record, recordId] = row.slice(7) as [string | null, string, bigint]
  const [id, type, createdAt] = row as [bigint, string, bigint]
  return {
    id,
    type,
    record,
    recordId,
    createdAt: Number(createdAt),
    traceparent: traceparent ?? undefined,
    text: textOf(row),
  }
}

/** One event, where the caller may see its type. */
export const selectEvent: Query<
  bigint,
  { type: string; traceparent: string | undefined; text: JsonText } | undefined
> = {
  key: (id) => id,
  async run(sql, ids) {
    const { settled } = await selectEnds(sql)
    const rows = await sql.all(
      `select ${columns} from events where ${sql.isAnyOf('id', '?1')} and id <= ?2`,
      [sql.set(ids), settled],
    )
    const found = new Map(
      rows.map((row) => {
        const [type, traceparent] = [row[1] as string, (row[7] as string | null) ?? undefined]
        return [row[0], orDamage(() => ({ type, traceparent, text: textOf(row) }))]
      }),
    )
    return ids.map((id) => found.get(id))
  },
}

/** The JSON text of an event. Throws DamagedRow. */
function textOf(row: Row): JsonText {
  const [id, type, createdAt, data, previous, actor, requestId, traceparent] = row as [
    ...[bigint, string, bigint, string, string | null, string, string | null, string | null],
  ]
  requireSound('events', id, {
    id: isId(id),
    type: isText(type),
    created_at: isInstant(createdAt),
    data: isJson(data),
    previous: previous === null || isJson(previous),
    actor: isJson(actor),
    request_id: requestId === null || isText(requestId),
    traceparent: traceparent === null || isText(traceparent),
  })
  const optional = [
    ...(previous === null ? [] : [`,"previous":${previous}`]),
    `,"actor":${actor}`,
    ...(requestId === null ? [] : [`,"requestId":${JSON.stringify(requestId)}`]),
  ]
  return `{"id":${id},"type":${JSON.stringify(type)},"createdAt":"${isoOf(createdAt)}","data":${data}${optional.join('')}}` as JsonText
}

function isJson(value: unknown): boolean {
  try {
    return typeof JSON.parse(value as string) === 'object'
  } catch {
    return false
  }
}

/** The table that `verify` reads; its rows are large, so a step has few of them. */
export const eventsTable = { table: 'events', columns, itemOf: textOf, stepMax: 500 }

export async function selectLocked(sql: Sql, id: bigint): Promise<Row | undefined> {
  const [row] = await sql.all(`select ${columns} from events where id = ?1${sql.forUpdate}`, [id])
  return row
}

/** Deletes an event, and counts it no more. */
export async function deleteEvent(sql: Sql, id: bigint): Promise<void> {
  await sql.all('update events_feed set counted = counted - 1 where counted_to >= ?1', [id])
  await sql.all('delete from events where id = ?1', [id])
}
