/** What is asked of a server in a window. */
export type Workload = {
  name: WorkloadName
  engine: 'sqlite' | 'postgres'
  connections: number
  /** Which of a server's addresses are read, any of them at random. */
  reads: 'first' | 'pages' | 'available' | 'animals'
  /** How many of the requests are creates, from 0 to 1. */
  createShare: number
  /** Whether all creates are of one animal, whose entries in every index are neighbours, or of a thousand. */
  createdKinds: 'one' | 'all'
  /** What ours against ours compares. */
  chief: 'processorUs' | 'p50Ms'
  /** Whether a server that only replays takes part. */
  hasLimits: boolean
  /** Reads are measured while others create on a disk this slow. */
  syncDelayMs?: number
}

export type WorkloadName =
  | 'same page'
  | 'random pages'
  | 'filtered pages'
  | 'one animal'
  | 'creates'
  | 'creates of all kinds'
  | '95 : 5 mix'
  | 'alone, reads'
  | 'alone, creates'
  | 'slow sync'
  | 'PostgreSQL, same page'
  | 'PostgreSQL, creates'

const busy = 64
const usual = {
  engine: 'sqlite',
  connections: busy,
  createShare: 0,
  createdKinds: 'one',
  chief: 'processorUs',
  hasLimits: true,
} as const

/** In the order in which a round runs them. */
export const workloads: readonly Workload[] = [
  { ...usual, name: 'same page', reads: 'first' },
  { ...usual, name: 'random pages', reads: 'pages' },
  { ...usual, name: 'filtered pages', reads: 'available' },
  { ...usual, name: 'one animal', reads: 'animals' },
  { ...usual, name: 'creates', reads: 'first', createShare: 1 },
  {
    ...usual,
    name: 'creates of all kinds',
    reads: 'first',
    createShare: 1,
    createdKinds: 'all',
  },
  { ...usual, name: '95 : 5 mix', reads: 'pages', createShare: 0.05, hasLimits: false },
  { ...usual, name: 'alone, reads', reads: 'pages', connections: 1, chief: 'p50Ms' },
  {
    ...usual,
    name: 'alone, creates',
    reads: 'first',
    createShare: 1,
    connections: 1,
    chief: 'p50Ms',
  },
  { ...usual, name: 'slow sync', reads: 'pages', hasLimits: false, syncDelayMs: 200 },
  { ...usual, name: 'PostgreSQL, same page', engine: 'postgres', reads: 'first', hasLimits: false },
  {
    ...usual,
    name: 'PostgreSQL, creates',
    engine: 'postgres',
    reads: 'first',
    createShare: 1,
    hasLimits: false,
  },
]
