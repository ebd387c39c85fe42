import type { Sql } from '../db.ts'
import { type Condition, compile } from './condition.ts'
import type { PageRequest, TableRef } from './select-page.ts'

/** A page of a search: `prefix` is its condition, `others` are the other filters. Its order is by id. */
export type Search = {
  source: TableRef
  prefix: Extract<Condition, { startsWith: string }>
  others: readonly Condition[]
  page: PageRequest
}

/** The number of samples, spread evenly over all ids, and the records of each. */
const samplePoints = 32
const recordsPerSample = 16
/** The three counts of a sample are the digits of one number to this base. */
const base = 100

type SearchEstimate = {
  /** All matches of the prefix: the rows that sorting reads. */
  matches: number
  /** The rows that pass the other filters until the page is full or the list ends: the rows that walking reads. */
  recordsToWalk: number
}

/** Of the records after an id: how many match the prefix, how many pass the other filters, and how many both. */
type Sample = { behind: number; begin: number; pass: number; fit: number }

/** Estimates the cost of each strategy from a few hundred records. Gaps between ids count as records. */
export async function estimateSearch(sql: Sql, search: Search): Promise<SearchEstimate> {
  const samples = await selectSamples(sql, search)
  const [first, second] = samples
  const idsPerSample = first && second ? second.behind - first.behind : recordsPerSample
  const scale = idsPerSample / recordsPerSample
  const matches = samples.reduce((sum, { begin }) => sum + begin * scale, 0)
  return { matches, recordsToWalk: recordsToWalk(samples, idsPerSample, search.page) }
}

function recordsToWalk(
  samples: readonly Sample[],
  idsPerSample: number,
  { limit, sort, after }: PageRequest,
): number {
  const scale = idsPerSample / recordsPerSample
  let records = 0
  let wanted = limit + 1
  for (const { behind, pass, fit } of sort === 'id' ? samples : samples.toReversed()) {
    const lower = after === undefined ? 0 : clamp((Number(after) - behind) / idsPerSample)
    const ahead = sort === 'id' || after === undefined ? 1 - lower : lower
    const found = fit * scale * ahead
    records += pass * scale * ahead * (found > wanted ? wanted / found : 1)
    wanted -= found
    if (wanted <= 0) break
  }
  return records
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share))
}

async function selectSamples(
  sql: Sql,
  { source: { table }, prefix, others }: Search,
): Promise<Sample[]> {
  const [ends] = await sql.all<[bigint | null, bigint | null]>(
    `select (select id from ${table} order by id asc limit 1),
      (select id from ${table} order by id desc limit 1)`,
  )
  const [first, last] = [ends?.[0] ?? 1n, ends?.[1] ?? 1n]
  const matching = compile(sql, [prefix])
  const { parameters, clauses } = compile(sql, others, matching.parameters)
  const begins = matching.clauses.join(' and ')
  const passes = clauses.length === 0 ? '1 = 1' : clauses.join(' and ')
  const values = Array.from({ length: samplePoints }, (_, index) => {
    const behind = first - 1n + ((last - first + 1n) * BigInt(index)) / BigInt(samplePoints)
    return `(cast(?${parameters.push(behind)} as bigint))`
  })
  const rows = await sql.all<[bigint, bigint | null]>(
    `with samplePoints (behind) as (values ${values.join(', ')})
    select behind, (
      select sum(case when ${begins} then case when ${passes} then ${base * base + base + 1} else ${base * base} end
        when ${passes} then ${base} else 0 end)
      from (select * from ${table} where id > behind order by id limit ${recordsPerSample}) as near
    ) from samplePoints order by behind`,
    parameters,
  )
  return rows.map(([behind, sums]) => {
    const counts = Number(sums ?? 0n)
    return {
      behind: Number(behind),
      begin: Math.floor(counts / base ** 2),
      pass: Math.floor(counts / base) % base,
      fit: counts % base,
    }
  })
}
