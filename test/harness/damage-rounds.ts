import assert from 'node:assert/strict'
import { mkdtempDisposableSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../../src/app/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { OpenError } from '../../src/db/errors.ts'
import { issueKey } from '../../src/features/keys/create-key.ts'
import { checkInjected } from './contract.ts'
import { type Rounds, runRounds } from './run-rounds.ts'
import type { SeededRandom } from './seeded-random.ts'

const petCount = 120
const overwritesMax = 3
const overwriteMaxBytes = 48

type DamageCounts = { refusedStarts: number; answers: number; errors: number }

type Request = { method: 'GET' | 'POST'; url: string; body?: object }

const lists = ['pets', 'store/orders', 'categories', 'inventory'].flatMap((list) =>
  ['id', '-id'].map((sort) => `/v1/${list}?limit=100&sort=${sort}`),
)
const singles = ['pets', 'store/orders', 'categories'].flatMap((list) =>
  [1, 2, 7, 33].map((id) => `/v1/${list}/${id}`),
)
const reads = [...lists, ...singles, '/v1/pets?name=rex&limit=100', '/v1/pets?status=available']
const requests: readonly Request[] = [
  ...reads.map((url) => ({ method: 'GET' as const, url })),
  { method: 'POST', url: '/v1/pets', body: { name: 'Max', categoryId: 7 } },
  { method: 'POST', url: '/v1/store/orders', body: { petId: 3 } },
]

/**
 * Overwrites bytes in a copy of a store's file, serves it, and requests all kinds of records: each response must be
 * one that the OpenAPI document allows with this status. Throws at the first that is not.
 */
export function runDamageRounds(rounds: Rounds) {
  return runRounds(rounds, damageOneStore)
}

async function* damageOneStore(random: SeededRandom) {
  using home = mkdtempDisposableSync(join(tmpdir(), 'petstore-damage-'))
  const counts: DamageCounts = { refusedStarts: 0, answers: 0, errors: 0 }
  const sound = join(home.path, 'sound.db')
  const key = await makeStore(sound)
  const bytes = readFileSync(sound)
  for (let round = 0; ; round++) {
    const path = join(home.path, `${round}.db`)
    writeFileSync(path, overwrite(bytes, random))
    await serveDamaged(path, key, counts)
    for (const ending of ['', '-wal', '-shm', '.lock']) rmSync(path + ending, { force: true })
    yield counts
  }
}

function overwrite(bytes: Buffer, random: SeededRandom): Buffer {
  const damaged = Buffer.from(bytes)
  const overwrites = Math.floor(random.between(1, overwritesMax + 1))
  for (let n = 0; n < overwrites; n++) {
    const start = Math.floor(random.between(100, bytes.length))
    const length = Math.floor(random.between(1, overwriteMaxBytes))
    // Letters and digits are harder to detect than other bytes.
    const [low, high] = random.next() < 0.5 ? [0x30, 0x7f] : [0, 256]
    for (let index = start; index < Math.min(start + length, bytes.length); index++)
      damaged[index] = Math.floor(random.between(low as number, high as number))
  }
  return damaged
}

async function makeStore(path: string): Promise<string> {
  const app = await openApp(path)
  const { key } = await issueKey(app.context, {
    name: 'test',
    scopes: ['default'],
    expiresAt: undefined,
  })
  await app.keys.refresh()
  const statuses = [undefined, 'available', 'pending', 'sold']
  for (let n = 0; n < petCount; n++) {
    const pet = { name: `Rex ${n} "Zoë" 🐾`, categoryId: n % 7, status: statuses[n % 4] }
    await send(app, key, { method: 'POST', url: '/v1/pets', body: pet })
    if (n % 4 === 1) {
      const order = { petId: n + 1, reference: `Order ${n}` }
      await send(app, key, { method: 'POST', url: '/v1/store/orders', body: order })
    }
    const category = { name: `Kind ${n}`, description: 'Dogs and cats' }
    if (n % 10 === 0)
      await send(app, key, { method: 'POST', url: '/v1/categories', body: category })
  }
  await app.close()
  return key
}

async function openApp(path: string): Promise<App> {
  const { config } = loadConfig(
    {},
    {
      PETSTORE_ENVIRONMENT: 'staging',
      PETSTORE_DATABASE: `sqlite:${path}`,
      PETSTORE_PUBLIC_URL: 'http://petstore.test/v1',
    },
  )
  return createApp({ config, logStream: { write: () => undefined } })
}

async function serveDamaged(path: string, key: string, counts: DamageCounts) {
  let app: App
  try {
    app = await openApp(path)
  } catch (error) {
    // A start that finds the damage reports it, or names the row.
    assert.ok(error instanceof OpenError || /damaged|failed/.test(String(error)), String(error))
    counts.refusedStarts += 1
    return
  }
  try {
    for (const request of requests) {
      const status = await send(app, key, request)
      counts.answers += 1
      if (status >= 500) counts.errors += 1
    }
  } finally {
    await app.close()
  }
}

async function send(app: App, key: string, { method, url, body }: Request): Promise<number> {
  const response = await app.server.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  return checkInjected(method, url, response).status
}
