/** Writes that only ours has; the others create plainly. */
type OwnWorkload = 'keyed creates' | 'orders of a pet each' | 'orders of few pets' | 'cancellations'

export type WorkloadName =
  | 'same page'
  | 'random pages'
  | 'filtered pages'
  | 'one pet'
  | 'creates'
  | 'creates of all kinds'
  | '95 : 5 mix'
  | 'alone, reads'
  | 'alone, creates'
  | 'slow sync'
  | 'PostgreSQL, same page'
  | 'PostgreSQL, creates'
  | 'PostgreSQL, one pet'
  | OwnWorkload
  | `PostgreSQL, ${OwnWorkload}`

/** Orders for one each, of pets that differ or of a few with stock enough; or cancellations of orders. */
const orderWrites = ['orders of a pet each', 'orders of few pets', 'cancellations'] as const
export type OrderWrites = (typeof orderWrites)[number]

/** The requests of one window. */
export type Workload = {
  name: WorkloadName
  engine: 'sqlite' | 'postgres'
  connections: number
  /** The set of paths that reads are drawn from at random. */
  reads: 'first page' | 'pages' | 'available' | 'pets'
  /** The share of writes among all requests, from 0 to 1. */
  writeShare: number
  /**
   * Creates send the same pet each time, one of a thousand with distant index entries, or the same pet with a new
   * `Idempotency-Key`.
   */
  writes: 'one pet' | 'all kinds' | 'keyed' | OrderWrites
  /** The measure that compares ours with ours again. */
  primaryMetric: 'processorUs' | 'p50Ms'
  hasRawNode: boolean
  hasContenders: boolean
  /** While reads are measured, other connections create with each sync delayed by this. */
  syncDelayMs?: number
}

const reads = {
  engine: 'sqlite',
  connections: 64,
  reads: 'first page',
  writeShare: 0,
  writes: 'one pet',
  primaryMetric: 'processorUs',
  hasRawNode: true,
  hasContenders: true,
} as const
const creates = { ...reads, writeShare: 1 } as const
const alone = { connections: 1, primaryMetric: 'p50Ms' } as const
const postgres = { engine: 'postgres', hasRawNode: false } as const
const own = { ...creates, hasRawNode: false, hasContenders: false } as const

/** What HTTP alone takes: checks a request, and sends our answers from memory. */
export const rawNode = 'raw node:http'

/** Our service of another working copy. */
export const before = 'before'

/** A server that logs each request and has metrics. */
export const observed = (server: string) => `${server}, observed`

/** A server with two processes that serve. */
export const twofold = (server: string) => `${server}, 2 processes`

/** Whether a server is neither ours nor the reference. */
export function isContender(server: string): boolean {
  return server !== rawNode && server !== before && !server.startsWith('ours')
}

/** Whether a server is measured with a workload. */
export function takesPart(server: string, { hasRawNode, hasContenders }: Workload): boolean {
  return server === rawNode ? hasRawNode : hasContenders || !isContender(server)
}

export function isOfOrders(writes: Workload['writes']): writes is OrderWrites {
  return orderWrites.some((name) => name === writes)
}

/** The creates of the same round that a workload of ours alone is compared with. */
export function plainCreatesOf({ engine }: Workload): WorkloadName {
  return engine === 'postgres' ? 'PostgreSQL, creates' : 'creates'
}

const ownWorkloads: readonly Workload[] = [
  { ...own, name: 'keyed creates', writes: 'keyed' },
  { ...own, name: 'orders of a pet each', writes: 'orders of a pet each' },
  { ...own, name: 'orders of few pets', writes: 'orders of few pets' },
  { ...own, name: 'cancellations', writes: 'cancellations' },
]

/** In the order in which a round runs them. */
export const workloads: readonly Workload[] = [
  { ...reads, name: 'same page' },
  { ...reads, name: 'random pages', reads: 'pages' },
  { ...reads, name: 'filtered pages', reads: 'available' },
  { ...reads, name: 'one pet', reads: 'pets' },
  { ...creates, name: 'creates' },
  { ...creates, name: 'creates of all kinds', writes: 'all kinds' },
  ...ownWorkloads,
  { ...reads, name: '95 : 5 mix', reads: 'pages', writeShare: 0.05, hasRawNode: false },
  { ...reads, ...alone, name: 'alone, reads', reads: 'pages' },
  { ...creates, ...alone, name: 'alone, creates' },
  { ...reads, name: 'slow sync', reads: 'pages', hasRawNode: false, syncDelayMs: 200 },
  { ...reads, ...postgres, name: 'PostgreSQL, same page' },
  { ...creates, ...postgres, name: 'PostgreSQL, creates' },
  ...ownWorkloads.map(
    (workload): Workload => ({
      ...workload,
      ...postgres,
      name: `PostgreSQL, ${workload.name as OwnWorkload}`,
    }),
  ),
]

/** What several processes are measured with. */
export const workloadsOfProcesses: readonly Workload[] = [
  { ...reads, ...postgres, name: 'PostgreSQL, one pet', reads: 'pets' },
  ...workloads.filter(({ name }) => /^PostgreSQL, (?:same page|creates)$/.test(name)),
]
