import { type Animal, animalOf } from '../contenders/animals.ts'
import type { Server } from './server.ts'

export const pageSize = 20

/** A server that answers wrongly, said as the reason of a dash. */
export class Wrong extends Error {}

export type Answer = { status: number; headers: Headers; body: string }

/** Asks once, with the server's key unless headers say otherwise. */
export async function ask(
  { baseUrl, key }: Pick<Server, 'baseUrl' | 'key'>,
  path: string,
  init: RequestInit = {},
): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) }
  const response = await fetch(new URL(path, baseUrl), { ...init, headers })
  return { status: response.status, headers: response.headers, body: await response.text() }
}

/** The bytes that a page of these animals has to be. */
export function pageOf(ids: readonly number[]): string {
  return JSON.stringify(ids.map(recordOf))
}

/** An animal as it is answered. */
export function recordOf(id: number): { id: number } & Animal {
  return { id, ...animalOf(id) }
}

/** Walks all pages behind the first one: their paths. Throws `Wrong` when any page is not exactly what it has to be. */
export async function walk(
  server: Server,
  { filter, ids }: { filter: string; ids: readonly number[] },
): Promise<string[]> {
  const paths: string[] = []
  let path = `/v1/pets?limit=${pageSize}${filter}`
  for (let index = 0; index < ids.length; index += pageSize) {
    const { status, headers, body } = await ask(server, path)
    if (status !== 200) throw new Wrong(`${path} answered ${status}`)
    if (body !== pageOf(ids.slice(index, index + pageSize))) {
      throw new Wrong(`${path} is not the page of ${pageSize} after the ${index}th animal`)
    }
    // Creates will make the last page another.
    const isLast = index + pageSize >= ids.length
    if (index > 0 && !isLast) paths.push(path)
    const next = /<([^>]+)>;\s*rel="?next"?/.exec(headers.get('link') ?? '')?.[1]
    if (isLast !== (next === undefined)) throw new Wrong(`${path} has no right next link`)
    if (next !== undefined) path = pathOf(next)
  }
  return paths
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}
