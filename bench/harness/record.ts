import { writeFileSync } from 'node:fs'
import { type Answer, ask, post } from './pages.ts'
import type { Server } from './server.ts'

export type Recorded = { headers: [string, string][]; body: string }
/** What our service sent, by path; `created` is the answer to a create. */
export type Recording = { answers: Record<string, Recorded>; created: Recorded }

const sampledPaths = 10
const newPet = '{"name":"Rex","categoryId":7,"status":"available"}'
/** Node writes these itself. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** Writes our service's answers to these paths, and to a create, into a file for `raw node:http`. */
export async function record(ours: Server, paths: readonly string[], file: string): Promise<void> {
  const answers: Recording['answers'] = {}
  for (const path of paths) answers[path] = recorded(await ask(ours, path), 200)
  const created = recorded(await post(ours, newPet), 201)
  writeFileSync(file, JSON.stringify({ answers, created } satisfies Recording))
}

/** Throws unless both servers send the same headers and the same bytes. */
export async function checkReplay(ours: Server, raw: Server, paths: readonly string[]) {
  const step = Math.ceil(paths.length / sampledPaths)
  for (const path of paths.filter((_, index) => index % step === 0)) {
    const [expected, found] = [await ask(ours, path), await ask(raw, path)]
    requireSame(path, shown(expected), shown(found))
  }
  const [expected, found] = [await post(ours, newPet), await post(raw, newPet)]
  requireSame('a create', withoutId(expected), withoutId(found))
}

function requireSame(what: string, expected: string, found: string): void {
  if (found !== expected) throw new Error(`${what} returned ${found}, not ${expected}`)
}

function shown({ status, headers, body }: Answer, varying = /^x-request-id$/): string {
  const lines = [...headers]
    .filter(([name]) => !ownHeaders.has(name))
    .map(([name, value]) => (varying.test(name) ? name : `${name}: ${value}`))
  return [status, ...lines, body].join(', ')
}

/** Each server assigns its own ids to the pets that it creates. */
function withoutId(answer: Answer): string {
  const body = answer.body.replace(/^\{"id":\d+/, '{"id":0')
  return shown({ ...answer, body }, /^(?:x-request-id|location|content-length|etag)$/)
}

function recorded({ status, headers, body }: Answer, expected: number): Recorded {
  if (status !== expected) throw new Error(`Our service returned ${status}: ${body}`)
  return { headers: [...headers].filter(([name]) => !ownHeaders.has(name)), body }
}
