import { writeFileSync } from 'node:fs'
import type { Recorded, Recording } from '../contenders/replay.ts'
import type { Server } from './server.ts'
import { type Answer, ask, Wrong } from './survey.ts'

const askedAtOnce = 16
/** Node and Bun write these themselves. */
const own = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** Keeps what our service answers to these paths, and to a create, for the servers that replay it. */
export async function record(
  server: Server,
  paths: readonly string[],
  file: string,
): Promise<void> {
  const answers: Recording['answers'] = {}
  const left = [...paths]
  const askAll = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      answers[path] = recorded(await ask(server, path), 200)
    }
  }
  await Promise.all(Array.from({ length: askedAtOnce }, askAll))
  const created = await ask(server, '/v1/pets', {
    method: 'POST',
    body: '{"name":"Rex","categoryId":7,"status":"available"}',
    headers: { 'content-type': 'application/json' },
  })
  writeFileSync(file, JSON.stringify({ answers, created: recorded(created, 201) }))
}

/** Throws `Wrong` when what is replayed is not, byte for byte and header for header, what our service answers. */
export async function proveReplay(ours: Server, replaying: Server, paths: readonly string[]) {
  for (const path of paths) {
    const [real, replayed] = [await ask(ours, path), await ask(replaying, path)]
    const isSame = replayed.body === real.body && namesOf(real) === namesOf(replayed)
    if (!isSame) {
      throw new Wrong(
        `${path} is not what our service answers: ${namesOf(real)} against ${namesOf(replayed)}`,
      )
    }
  }
}

function namesOf({ headers }: Answer): string {
  const known = [...headers].filter(([name]) => !own.has(name))
  return known
    .map(([name, value]) => (name === 'x-request-id' ? name : `${name}: ${value}`))
    .join(', ')
}

function recorded({ status, headers, body }: Answer, expected: number): Recorded {
  if (status !== expected) throw new Error(`Our service answered ${status}: ${body}`)
  return { headers: [...headers].filter(([name]) => !own.has(name)), body }
}
