import type { NewTestKey } from '../test-bench/contract.ts'
import { controlStore, type StoreControl, type TestWebhookRequest } from '../test-bench/handle.ts'
import { checkOptions } from './check-options.ts'
import { watchRunner } from './runner.ts'

export type PetstoreOptions = {
  /**
   * In this process, or in a child that ends with this process. By default in this process, where its Node is new enough
   * and it is no CommonJS module that starts the store.
   */
  as?: 'in-process' | 'child'
  /** An ISO 8601 instant at which the store's clock starts. */
  now?: string
  /** The first id of pets, categories and orders; keys count from 1. */
  firstId?: bigint
  /** How many demo pets to add at the start; none when absent. */
  seed?: number
  /** Categories, pets and orders to add at the start, after the demo data. */
  fixture?: object
  /** Several of them, added as one: the entries of each list in this order. */
  fixtures?: object | readonly object[]
  /** How long a pending order holds its pet; for ever when absent. */
  orderHoldMs?: number
  /** Whether unknown parameters and members are refused (`Prefer: handling=strict`) unless a request says otherwise. */
  strict?: boolean
  /** Where events are sent from the start on, also after resets: `store.webhook` has the secret. */
  webhook?: string | TestWebhookRequest
  /** Keys to issue at the start: `store.keys` has them in this order. */
  keys?: readonly NewTestKey[]
}

/** A separate store for one test: in memory, staging, on a free port of 127.0.0.1. */
export type Petstore = StoreControl & {
  /** Ends in /v1. */
  baseUrl: string
  /** Has all scopes, and controls the store. */
  key: string
  /** Those that `keys` asked for. */
  keys: readonly string[]
  /** The one that `webhook` asked for. */
  webhook: Awaited<ReturnType<StoreControl['addWebhook']>> | undefined
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A store that runs. */
export type Started = Pick<Petstore, 'baseUrl' | 'key' | 'close'>

/** Starts a store, issues its keys, and returns what controls it. */
export async function openPetstore(
  options: PetstoreOptions,
  start: (options: PetstoreOptions) => Promise<Started>,
): Promise<Petstore> {
  checkOptions(options)
  const fixture = fixtureOf(options)
  const started = await start(fixture === undefined ? options : { ...options, fixture })
  const { baseUrl, key } = started
  const stopWatching = watchRunner(() => void started.close())
  const close = () => {
    stopWatching()
    return started.close()
  }
  const { keepWebhook, ...control } = controlStore({ baseUrl, key })
  const keys: string[] = []
  for (const request of options.keys ?? []) keys.push(await control.issueKey(request))
  const { webhook: asked } = options
  const request = typeof asked === 'object' && 'url' in asked ? asked : { url: String(asked) }
  const webhook = asked === undefined ? undefined : await keepWebhook(request)
  return { ...control, baseUrl, key, keys, webhook, close, [Symbol.asyncDispose]: close }
}

/** The lists of all fixtures, each in their order. */
function fixtureOf({ fixture, fixtures = [] }: PetstoreOptions): object | undefined {
  const all = [...(fixture === undefined ? [] : [fixture]), ...[fixtures].flat()]
  if (all.length <= 1) return all[0]
  const lists = new Map<string, unknown[]>()
  for (const [name, list] of all.flatMap((one) => Object.entries(one)))
    lists.set(name, [...(lists.get(name) ?? []), ...[list].flat()])
  return Object.fromEntries(lists)
}
