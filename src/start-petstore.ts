import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { seedCountMax } from './admin/seed/seed-store.ts'
import { startService } from './app/service.ts'
import { environmentWith, loadConfig } from './config/config.ts'
import { parseInstant } from './contract/instant.ts'
import { stringifyJson } from './contract/int64-json.ts'
import { inMemory } from './db/sqlite/connection.ts'
import type { NewTestKey } from './test-bench/contract.ts'
import { readFixture } from './test-bench/fixture.ts'
import { controlStore, type StoreControl } from './test-bench/handle.ts'

type PetstoreOptions = {
  /** In this process (the default), or in a child that ends with this process. */
  as?: 'in-process' | 'child'
  /** An ISO 8601 instant at which the store's clock starts. */
  now?: string
  /** The first id of pets, categories and orders; keys count from 1. */
  firstId?: bigint
  /** How many demo pets to add at the start; none when absent. */
  seed?: number
  /** Categories, pets and orders to add at the start, after the demo data. */
  fixture?: object
  /** How long a pending order holds its pet; for ever when absent. */
  orderHoldMs?: number
  /** Whether unknown parameters and members are refused (`Prefer: handling=strict`) unless a request says otherwise. */
  strict?: boolean
  /** Keys to issue at the start: `store.keys` has them in this order. */
  keys?: readonly NewTestKey[]
}

/** A separate store for one test: in memory, staging, on a free port of 127.0.0.1. */
type Petstore = StoreControl & {
  /** Ends in /v1. */
  baseUrl: string
  /** Has all scopes, and controls the store. */
  key: string
  /** Those that `keys` asked for. */
  keys: readonly string[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a store in memory. Ready when it resolves; its data is gone when it is closed. */
export async function startPetstore(options: PetstoreOptions = {}): Promise<Petstore> {
  requireCount(options.seed)
  const { baseUrl, key, close } = await (options.as === 'child'
    ? startChild(options)
    : startHere(options))
  const control = controlStore({ baseUrl, key })
  const keys: string[] = []
  for (const request of options.keys ?? []) keys.push(await control.issueKey(request))
  return { ...control, baseUrl, key, keys, close, [Symbol.asyncDispose]: close }
}

function requireCount(seed = 1): void {
  if (Number.isInteger(seed) && seed >= 1 && seed <= seedCountMax) return
  throw new TypeError(`seed must be an integer from 1 to ${seedCountMax}; received ${seed}.`)
}

type Started = Pick<Petstore, 'baseUrl' | 'key' | 'close'>

async function startHere(options: PetstoreOptions): Promise<Started> {
  const { now, firstId, seed, fixture, orderHoldMs, strict } = options
  const { config } = loadConfig(
    {},
    {
      PETSTORE_ENVIRONMENT: 'staging',
      PETSTORE_DATABASE: `sqlite:${inMemory}`,
      PETSTORE_PORT: '0',
      PETSTORE_LOG_LEVEL: 'fatal',
      ...(orderHoldMs === undefined ? {} : { PETSTORE_ORDER_HOLD_MS: String(orderHoldMs) }),
    },
  )
  const service = await startService({
    config,
    startMs: startOf(now),
    firstId,
    seedCount: seed,
    fixture: fixture && readFixture(fixture),
    isStrict: strict,
    logStream: process.stderr,
    showsKey: true,
    onLost: () => undefined,
  })
  return { baseUrl: service.baseUrl, key: service.firstKey?.key ?? '', close: service.stop }
}

function startOf(now: string | undefined): number | undefined {
  if (now === undefined) return undefined
  const startMs = parseInstant(now)
  if (startMs === undefined)
    throw new TypeError(`now must be an instant such as 2030-12-05T00:00:00Z; received ${now}.`)
  return startMs
}

const executable = fileURLToPath(new URL('../bin/petstore.ts', import.meta.url))

async function startChild(options: PetstoreOptions): Promise<Started> {
  const { now, firstId, seed, fixture, orderHoldMs, strict } = options
  const args = ['serve', '--ephemeral', '--port', '0', '--json']
  if (now !== undefined) args.push('--now', now)
  if (seed !== undefined) args.push('--seed', String(seed))
  if (firstId !== undefined) args.push('--first-id', String(firstId))
  if (fixture !== undefined) args.push('--fixture', '-')
  if (strict) args.push('--strict')
  // The channel closes when this process ends. The child gets no settings of this process.
  const child = spawn(process.execPath, [executable, ...args], {
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
    env: environmentWith({
      PETSTORE_LOG_LEVEL: 'fatal',
      ...(orderHoldMs === undefined ? {} : { PETSTORE_ORDER_HOLD_MS: String(orderHoldMs) }),
    }),
  })
  // A child that ends at once says why by its exit code.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(fixture === undefined ? '' : stringifyJson(fixture))
  const exited = once(child, 'exit')
  const line = once(
    createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }),
    'line',
  )
  const started = await Promise.race([
    line,
    exited.then(([code]) =>
      Promise.reject(new Error(`The store ended with exit code ${code} before it was ready.`)),
    ),
  ])
  return {
    ...(JSON.parse(started[0] as string) as { baseUrl: string; key: string }),
    async close() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
