import cluster from 'node:cluster'
import { hash, timingSafeEqual } from 'node:crypto'
import type { NewPet } from './sample-pets.ts'

export type Row = { id: number; name: string; category_id: number; status: string | null }
export type Query = { limit: number; status?: string; cursor?: string }
export type Filter = { limit: number; status: string | undefined; after: number }

/** What a database provides to a server. */
export type Store = {
  page(filter: Filter): Promise<Row[]> | Row[]
  one(id: number): Promise<Row | null | undefined> | Row | null | undefined
  create(pet: NewPet): Promise<Row> | Row
}

const { BENCH_COUNT, BENCH_DATABASE, BENCH_KEY, BENCH_LOG } = process.env

/** Set by the harness: the number of pets, the database, and the accepted API key. */
export const count = Number(BENCH_COUNT)
export const database = BENCH_DATABASE ?? ''
/** Where requests are logged; undefined where they are not, and no metrics are kept. */
export const log = BENCH_LOG
const digest = digestOf(BENCH_KEY ?? '')

/** Whether a request carries the key. Only its digest is kept, as in our service. */
export function isAuthorized(header: string | null | undefined): boolean {
  return (
    header?.startsWith('Bearer ') === true && timingSafeEqual(digestOf(header.slice(7)), digest)
  )
}

function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

export const cursorPattern = '^[A-Za-z0-9_-]{2,24}$'
/** At least one character that is not white space, no control characters. */
export const namePattern = '^(?=[\\s\\S]*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]*$'
export const statusSchema = { type: 'string', enum: ['available', 'pending', 'sold'] }
export const querySchema = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    status: statusSchema,
    cursor: { type: 'string', pattern: cursorPattern },
  },
}
export const newPetSchema = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 1000, pattern: namePattern },
    categoryId: {
      type: 'integer',
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    },
    status: statusSchema,
  },
}

/** What a query asks for; `undefined` when its cursor is invalid. */
export function filterOf({ limit, status, cursor }: Query): Filter | undefined {
  if (cursor === undefined) return { limit, status, after: 0 }
  const text = Buffer.from(cursor, 'base64url').toString()
  return /^[1-9]\d{0,15}$/.test(text) ? { limit, status, after: Number(text) } : undefined
}

/** The pets of a page and the link to the next one. `rows` has one more than the limit when there is a next page. */
export function pageOf(rows: readonly Row[], { limit, status }: Filter, host: string) {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  if (rows.length <= limit || last === undefined) return { pets: shown.map(petOf) }
  const cursor = Buffer.from(String(last.id)).toString('base64url')
  const filter = status === undefined ? '' : `&status=${status}`
  const next = `<http://${host}/v1/pets?limit=${limit}${filter}&cursor=${cursor}>; rel="next"`
  return { pets: shown.map(petOf), next }
}

/** A row as the response carries it: a null status is omitted. */
export function petOf({ id, name, category_id: categoryId, status }: Row) {
  return status === null ? { id, name, categoryId } : { id, name, categoryId, status }
}

/** Prints the line that the harness waits for; of a cluster its primary does. */
export function sayReady(port: number): void {
  if (cluster.isPrimary) console.log(JSON.stringify({ port }))
}
