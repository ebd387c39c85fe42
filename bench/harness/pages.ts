import { type NewPet, samplePet } from '../contenders/sample-pets.ts'
import type { Server } from './server.ts'

export const pageSize = 20

export type Answer = { status: number; headers: Headers; body: string }

/** Sends one request, with the server's key unless `init` has other credentials. */
export async function ask(
  { baseUrl, key }: Pick<Server, 'baseUrl' | 'key'>,
  path: string,
  init: RequestInit = {},
): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) }
  const response = await fetch(new URL(path, baseUrl), { ...init, headers })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

/** Creates a pet from this JSON text. */
export function post(
  server: Server,
  body: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return ask(server, '/v1/pets', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** The expected record of a sample pet. */
export function recordOf(id: number): { id: number } & NewPet {
  return { id, ...samplePet(id) }
}

/** The expected body of a page of sample pets. */
export function pageOf(ids: readonly number[]): string {
  return JSON.stringify(ids.map(recordOf))
}

/** Follows the `next` links through the whole list. Returns the paths between the first and the last page. Throws unless each page is exact. */
export async function walk(
  server: Server,
  { filter, ids }: { filter: string; ids: readonly number[] },
): Promise<string[]> {
  const paths: string[] = []
  let path = `/v1/pets?limit=${pageSize}${filter}`
  for (let index = 0; index < ids.length; index += pageSize) {
    const answer = await ask(server, path)
    const { status, body } = answer
    if (status !== 200) throw new Error(`${path} returned ${status}`)
    if (body !== pageOf(ids.slice(index, index + pageSize))) {
      throw new Error(`${path} is not the page of ${pageSize} pets from index ${index}`)
    }
    // Creates will change the last page.
    const isLast = index + pageSize >= ids.length
    if (index > 0 && !isLast) paths.push(path)
    const next = nextOf(answer)
    if (isLast !== (next === undefined)) throw new Error(`${path} has a wrong next link`)
    if (next !== undefined) path = next
  }
  return paths
}

/** The path of the next page, if there is one. */
export function nextOf({ headers }: Answer): string | undefined {
  const next = /<([^>]+)>;\s*rel="?next"?/.exec(headers.get('link') ?? '')?.[1]
  if (next === undefined) return undefined
  const { pathname, search } = new URL(next)
  return `${pathname}${search}`
}
