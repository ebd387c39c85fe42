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

/** The requests of one window. */
export type Workload = {
  name: WorkloadName
  engine: 'sqlite' | 'postgres'
  connections: number
  /** The set of paths that reads are drawn from at random. */
  reads: 'first page' | 'pages' | 'available' | 'pets'
  /** The share of creates among all requests, from 0 to 1. */
  createShare: number
  /** Creates send the same pet each time, or one of a thousand with distant index entries. */
  createdKinds: 'one' | 'all'
  /** The measure that compares ours with ours again. */
  primaryMetric: 'processorUs' | 'p50Ms'
  /** Whether `rawNode` takes part. */
  hasRawNode: boolean
  /** While reads are measured, other connections create with each sync delayed by this. */
  syncDelayMs?: number
}

const reads = {
  engine: 'sqlite',
  connections: 64,
  reads: 'first page',
  createShare: 0,
  createdKinds: 'one',
  primaryMetric: 'processorUs',
  hasRawNode: true,
} as const
const creates = { ...reads, createShare: 1 } as const
const alone = { connections: 1, primaryMetric: 'p50Ms' } as const
const postgres = { engine: 'postgres', hasRawNode: false } as const

/** The lower limit: sends our bytes from memory. */
export const rawNode = 'raw node:http'

/** Our service of another working copy. */
export const before = 'before'

/** Whether a server is neither ours nor the lower limit. */
export function isContender(server: string): boolean {
  return server !== rawNode && !server.startsWith('ours')
}

/** In the order in which a round runs them. */
export const workloads: readonly Workload[] = [
  { ...reads, name: 'same page' },
  { ...reads, name: 'random pages', reads: 'pages' },
  { ...reads, name: 'filtered pages', reads: 'available' },
  { ...reads, name: 'one pet', reads: 'pets' },
  { ...creates, name: 'creates' },
  { ...creates, name: 'creates of all kinds', createdKinds: 'all' },
  { ...reads, name: '95 : 5 mix', reads: 'pages', createShare: 0.05, hasRawNode: false },
  { ...reads, ...alone, name: 'alone, reads', reads: 'pages' },
  { ...creates, ...alone, name: 'alone, creates' },
  { ...reads, name: 'slow sync', reads: 'pages', hasRawNode: false, syncDelayMs: 200 },
  { ...reads, ...postgres, name: 'PostgreSQL, same page' },
  { ...creates, ...postgres, name: 'PostgreSQL, creates' },
]
