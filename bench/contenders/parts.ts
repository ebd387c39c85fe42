import { createHash, timingSafeEqual } from 'node:crypto'

export type Row = { id: number; name: string; category_id: number; status: string | null }
export type Filter = { limit: number; status: string | undefined; after: number }

const { BENCH_COUNT, BENCH_DATABASE, BENCH_KEY } = process.env

/** What the harness says: how many animals, where the database is, and the key that is let in. */
export const count = Number(BENCH_COUNT)
export const database = BENCH_DATABASE ?? ''
const digest = digestOf(BENCH_KEY ?? '')

/** Whether a request brings the key, of which only the digest is kept. */
export function isAuthorized(header: string | null | undefined): boolean {
  return (
    header?.startsWith('Bearer ') === true && timingSafeEqual(digestOf(header.slice(7)), digest)
  )
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

export const cursorPattern = '^[A-Za-z0-9_-]{2,24}$'
/** At least one character that is not white space, no control characters. */
export const namePattern = '^(?=[\\s\\S]*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]*$'
export const statuses = ['available', 'pending', 'sold']

/** The id after which a page starts; `undefined` for what is no cursor. */
export function afterCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return 0
  const text = Buffer.from(cursor, 'base64url').toString()
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined
}

/** The link to the page after these rows, of which one more than the limit was asked for. */
export function nextLink(host: string, { limit, status }: Filter, last: number): string {
  const cursor = Buffer.from(String(last)).toString('base64url')
  const filter = status === undefined ? '' : `&status=${status}`
  return `<http://${host}/v1/pets?limit=${limit}${filter}&cursor=${cursor}>; rel="next"`
}

/** A row as it is answered: without a status where there is none. */
export function petOf({ id, name, category_id: categoryId, status }: Row) {
  return status === null ? { id, name, categoryId } : { id, name, categoryId, status }
}

/** The line that the harness waits for. */
export function sayReady(port: number): void {
  console.log(JSON.stringify({ port }))
}
