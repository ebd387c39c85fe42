import { PetstoreClient } from '../../../client/src/index.ts'
import {
  create,
  type Observed,
  readerOf,
  request,
  type Targets,
} from '../../consistency/creates/clients.ts'
import { eventsAfter } from '../../harness/mirror.ts'
import { aReceiver, idsOf } from '../../harness/receiver.ts'
import { until } from '../../harness/until.ts'
import type { Link } from '../../processes/link.ts'
import type { Service } from '../../processes/process.ts'
import { createWebhook } from '../../processes/webhooks.ts'

const streams = 2
const arrivesMaxMs = 120_000

type Observers = AsyncDisposable & {
  /** Throws unless each stream has had every event once and in order, and each event of a new pet was delivered. */
  check(): Promise<void>
}

/** Follows the events on streams, and receives a webhook, through the balancer. */
export async function startObservers(targets: Targets): Promise<Observers> {
  await using starting = new AsyncDisposableStack()
  const receiver = await aReceiver({
    after: (close) => starting.defer(async () => void (close as () => void)()),
  })
  await createWebhook({ baseUrl: targets.baseUrls[0], key: targets.key } as Service, receiver.url)
  const stopping = new AbortController()
  starting.defer(async () => stopping.abort())
  const seen = Array.from({ length: streams }, () => follow(targets, stopping.signal))
  const reader = readerOf(targets, 0)
  const started = starting.move()
  return {
    async check() {
      const events = await eventsAfter(reader, undefined)
      const ids = events.map(({ id }) => Number(id))
      const created = events
        .filter(({ type }) => type === 'pet.created')
        .map(({ id }) => Number(id))
      await until(() => seen.every((one) => one.length >= ids.length), arrivesMaxMs)
      for (const one of seen) requireEqual('a stream of events', one.slice(0, ids.length), ids)
      await until(() => idsOf(receiver.received).length >= created.length, arrivesMaxMs)
      const delivered = idsOf(receiver.received).toSorted((a, b) => a - b)
      requireEqual('deliveries of a webhook', delivered, created)
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

function requireEqual(what: string, actual: readonly number[], wanted: readonly number[]): void {
  const length = Math.max(actual.length, wanted.length)
  for (let index = 0; index < length; index++) {
    const [one, other] = [actual[index], wanted[index]]
    if (one !== other) throw new Error(`${what}: ${one} in place of ${other}, number ${index}`)
  }
}

/** The ids of the events of a stream, as they arrive. */
function follow({ baseUrls, key }: Targets, signal: AbortSignal): number[] {
  const client = new PetstoreClient({ baseUrl: baseUrls[0], key })
  const ids: number[] = []
  async function run() {
    for await (const { id } of client.events.follow({ after: 0, signal })) ids.push(Number(id))
  }
  run().catch((error) => {
    if (!signal.aborted) throw error
  })
  return ids
}

const probeEveryMs = 100

/** Sends a create and a read ten times a second, whatever became of the last ones, and keeps when some succeeded. */
export function startProbes(fleet: Observed) {
  const open = new Set<Promise<void>>()
  const send = (times: number[], work: () => Promise<boolean>) => {
    const sent: Promise<void> = work()
      .then((isDone) => void (isDone && times.push(performance.now())))
      .catch(() => undefined)
      .finally(() => open.delete(sent))
    open.add(sent)
  }
  const [written, read] = [[performance.now()], [performance.now()]]
  const timer = setInterval(() => {
    send(written, async () => (await create(fleet, { service: 0 })) !== undefined)
    send(
      read,
      async () => (await request(`${fleet.baseUrls[0]}/pets?limit=1`, fleet)).status === 200,
    )
  }, probeEveryMs)
  return {
    /** Resolves once both have succeeded again; returns the longest times without a success. */
    async stop() {
      const sinceMs = performance.now()
      await until(() => [written, read].every((times) => (times.at(-1) ?? 0) > sinceMs))
      clearInterval(timer)
      await Promise.all(open)
      return { withoutWriteMs: longestGap(written), withoutReadMs: longestGap(read) }
    },
  }
}

function longestGap(times: readonly number[]): number {
  return Math.round(Math.max(...times.slice(1).map((endMs, n) => endMs - (times[n] as number))))
}

/** Connections of the services to one host: the most at once, and the most new ones in a second. */
type Connections = { most: number; mostNew: number }

/** Watches the connections through links. */
export function watchConnections(links: readonly Link[]) {
  const counts: Connections = { most: 0, mostNew: 0 }
  const opened = links.map((link) => [link.opened])
  const timer = setInterval(() => {
    for (const [index, link] of links.entries()) {
      const last = opened[index] as number[]
      last.push(link.opened)
      if (last.length > 11) last.shift()
      counts.most = Math.max(counts.most, link.open)
      counts.mostNew = Math.max(counts.mostNew, link.opened - (last[0] as number))
    }
  }, 100)
  return {
    counts,
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
