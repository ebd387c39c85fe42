import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import { createApp } from '../../src/app/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { ServiceContext } from '../../src/context/context.ts'
import { isInMemory } from '../../src/db/open.ts'
import { issueKey as issue } from '../../src/features/keys/create-key.ts'
import { firstGrants, type Grant } from '../../src/features/keys/grants.ts'
import { digestOf } from '../../src/features/keys/key-format.ts'
import { selectKeys } from '../../src/features/keys/queries.ts'
import { revokeKey } from '../../src/features/keys/revoke-key.ts'
import type { Observer } from '../../src/http/observe.ts'
import { type Answer, checkInjected } from './contract.ts'
import { addDelivery, type StoredDelivery } from './deliveries.ts'
import { freshDatabase, isOnPostgres } from './engine.ts'
import { isFull } from './extent.ts'
import { repeatInDatabase, repeatUnconfirmed } from './repeat.ts'
import {
  checkTouchedRows,
  checkTouchedRowsOf,
  noteTouchedRows,
  notingOnPostgres,
} from './touched-rows.ts'

type AppOptions = {
  /** The time of the store's clock until the test moves it. */
  now?: string
  firstId?: bigint
  /** `undefined` removes a default. */
  settings?: Record<string, string | undefined>
  observers?: readonly Observer[]
}

/** `validMs` is how long the key is valid; without limit when absent. */
type NewKey = { name?: string; scopes?: readonly Grant[]; validMs?: number }

export type SentFile = string | { type: string; text: string }

type Sent = {
  key?: string | null
  headers?: Record<string, string | string[]>
  body?: unknown
  rawBody?: string | Buffer
  /** The lines of an NDJSON file, or a file of another type. */
  file?: SentFile | undefined
  /** Whether a 503 of the check of keys is repeated, unless a test expects it. */
  isRepeated?: boolean
}

if (!isOnPostgres) checkTouchedRows()

const started: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((app) => app.close()))
})

/** Names that end in `.example` have a public address; all others have none. */
async function resolveExamples(name: string) {
  return name.endsWith('.example') ? [{ address: '93.184.216.34', family: 4 }] : []
}

/** A separate service for one test: staging, in memory, without a port, with a key and a controlled clock. */
export async function startApp({
  now = '2027-01-01T00:00:00Z',
  firstId,
  settings = {},
  observers = [],
}: AppOptions = {}) {
  /** Without `monotonicMs` the monotonic clock follows `ms`. */
  const clock: { ms: number; monotonicMs?: number } = { ms: Date.parse(now) }
  const database = await freshDatabase()
  const logLines: string[] = []
  const { config } = loadConfig(
    {},
    {
      PETSTORE_ENVIRONMENT: 'staging',
      PETSTORE_DATABASE: database.address,
      PETSTORE_PUBLIC_URL: 'http://petstore.test/v1',
      // As in memory, where it is the default.
      PETSTORE_WEBHOOK_HOSTS: '127.0.0.0/8,::1/128',
      PETSTORE_SECURITY_CONTACT: 'mailto:security@petstore.test',
      ...settings,
    },
  )
  const app = await createApp({
    config,
    time: { sources: { wall: () => clock.ms, monotonic: () => clock.monotonicMs ?? clock.ms } },
    firstId,
    observers,
    resolve: resolveExamples,
    logStream: { write: (line) => logLines.push(line) },
  }).catch(async (error) => {
    await database.giveBack()
    throw error
  })
  const handle = {
    async close() {
      await app.close()
      await database.giveBack()
    },
  }
  started.push(handle)
  const isOwnDatabase = settings.PETSTORE_DATABASE === undefined
  if (isFull && isOnPostgres && isOwnDatabase) {
    await database.run?.(notingOnPostgres)
    checkTouchedRowsOf(app.context.db)
  }
  if (config.database.engine === 'postgres') repeatInDatabase(app.context.db)
  else if (isInMemory(config.database)) await noteTouchedRows(app.context.db)
  const issueKey = async ({ name = 'test', scopes = firstGrants, validMs }: NewKey = {}) => {
    const endMs = app.context.clock() + (validMs ?? 0)
    const expiresAt = validMs === undefined ? undefined : new Date(endMs).toISOString()
    const { key } = await issue(app.context, { name, scopes, expiresAt })
    // Tests that break the database mean that of the operation, not that of the key check.
    await app.keys.authenticate(key, {})
    return key
  }
  const key = await issueKey()

  async function revokeKeyOf(revoked: string) {
    const found = (await app.context.db.read(selectKeys, undefined)).find(({ digest }) =>
      digestOf(revoked).equals(digest),
    )
    assert.ok(found, 'There is no such key to revoke.')
    await revokeKey(app.context, found.id)
  }

  /**
   * Sends a request with the key, unless another or none (`null`) is given, and checks the response against the
   * document.
   */
  async function send(
    method: string,
    url: string,
    sent: Sent = {},
  ): Promise<Answer & { json(): unknown }> {
    const bearer = sent.key === undefined ? key : sent.key
    const { file } = sent
    const { type, text } =
      typeof file === 'object' ? file : { type: 'application/x-ndjson', text: file }
    const payload =
      sent.rawBody ?? text ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
    const inject = () =>
      app.server.inject({
        method: method as 'GET',
        url,
        headers: {
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
          ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(file === undefined ? {} : { 'content-type': type }),
          ...sent.headers,
        },
        ...(payload === undefined ? {} : { payload }),
      })
    const response = await (sent.isRepeated === false ? inject() : repeatUnconfirmed(inject))
    const answer = checkInjected(method, url, response)
    return { ...answer, json: () => JSON.parse(answer.text) }
  }

  return {
    key,
    issueKey,
    revokeKey: revokeKeyOf,
    clock,
    /** Makes every further database call fail with this error. */
    failDb(error: Error) {
      const fail = () => Promise.reject(error)
      Object.assign(app.context.db, { read: fail, scan: fail, write: fail })
    },
    logLines,
    context: app.context as ServiceContext,
    server: app.server,
    serve: app.serve,
    connections: app.connections,
    startJobs: app.startJobs,
    /** Closes the service before the end of the test. */
    async close() {
      started.splice(started.indexOf(handle), 1)
      await handle.close()
    },
    api: {
      send,
      get: (url: string, sent?: Sent) => send('GET', url, sent),
      post: (url: string, body: unknown, sent?: Sent) => send('POST', url, { body, ...sent }),
      addDelivery: (delivery: StoredDelivery) => addDelivery(app.context, delivery),
      async createPet(newPet: Record<string, unknown> = {}) {
        const response = await send('POST', '/v1/pets', { body: aPet(newPet) })
        assert.equal(response.status, 201, response.text)
        return response.json() as { id: number; name: string; categoryId: number; status?: string }
      },
    },
  }
}

export type TestApp = Awaited<ReturnType<typeof startApp>>
export type TestApi = TestApp['api']

/** A valid pet with the test's changes. */
export function aPet(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'Rex', categoryId: 7, ...more }
}

/** Fails unless the response is this error, with exactly the members of the interface. */
export function expectError(answer: Answer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  const body = JSON.parse(answer.text) as Record<string, unknown>
  assert.deepEqual(Object.keys(body).sort(), ['code', 'message', 'status'])
  assert.equal(body.code, code, answer.text)
  assert.equal(body.status, status)
  assert.match(String(body.message), /\S/)
}
