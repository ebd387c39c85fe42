import type { Results, Window } from '../../bench/results.ts'

/** The same window in each round. */
export function windowsOf(window: Partial<Window>, rounds = 9): Window[] {
  const usual = { processorUs: 20, perSecond: 1_000, p50Ms: 1, p99Ms: 2, peakMiB: 100 }
  return Array.from({ length: rounds }, () => ({ ...usual, ...window }))
}

/** A run that measured two workloads and skipped a server. */
export function someResults(): Results {
  return {
    madeOn: '2026-11-21',
    machine: { processor: 'a <fast> one', cores: '2' },
    versions: { node: '26.10.0' },
    windows: {
      'same page': {
        ours: windowsOf({}),
        'ours again': windowsOf({ processorUs: 20.2 }),
        'raw node:http': windowsOf({ processorUs: 16 }),
        'Fastify + node:sqlite': windowsOf({ processorUs: 80 }),
      },
      'one pet': {
        ours: windowsOf({ processorUs: 24 }),
        'raw node:http': windowsOf({ processorUs: 16 }),
        'Elysia + bun:sqlite': windowsOf({ processorUs: 21 }),
      },
    },
    skips: { 'one pet': { 'Fastify + node:sqlite': 'it does not answer' } },
  }
}
