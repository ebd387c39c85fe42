import type { Results, Window } from '../../bench/results.ts'

const rounds = 9

/** The same window in each round. */
export function windowsOf(window: Partial<Window>, count = rounds): Window[] {
  const usual = { processorUs: 20, perSecond: 1_000, p50Ms: 1, p99Ms: 2, peakMiB: 100 }
  return Array.from({ length: count }, () => ({ ...usual, ...window }))
}

/** A run in which some was measured: the same page is met, the memory is not. */
export function someResults(): Results {
  return {
    madeOn: '2026-11-21',
    isQuick: false,
    machine: { processor: 'a <fast> one', cores: '2' },
    versions: { node: '26.10.0' },
    windows: {
      'same page': {
        ours: windowsOf({}),
        'ours again': windowsOf({ processorUs: 20.2 }),
        'raw node:http': windowsOf({ processorUs: 16 }),
        'Fastify + node:sqlite': windowsOf({ processorUs: 80 }),
      },
      'one animal': {
        ours: windowsOf({ processorUs: 24 }),
        'raw node:http': windowsOf({ processorUs: 16 }),
        'Elysia + bun:sqlite': windowsOf({ processorUs: 21 }),
      },
    },
    requestsPerQuery: { 'same page': { ours: 15.2 } },
    startMs: { ours: [300, 310], 'bare Fastify': [150, 150] },
    longRuns: {
      ours: { requests: 10, thirdQuarterMiB: 200, lastQuarterMiB: 200 },
      'Fastify + node:sqlite': { requests: 10, thirdQuarterMiB: 100, lastQuarterMiB: 100 },
    },
    dashes: { 'one animal': { 'raw Bun.serve': 'it does not answer' } },
  }
}
