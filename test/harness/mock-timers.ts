import type { MockTracker } from 'node:test'
import { timers } from '../../src/timers.ts'

/** Replaces a timer of the service by that of `mock.timers`. */
export function mockTimers(mock: MockTracker, name: 'setTimeout' | 'setInterval'): void {
  const clear = name === 'setTimeout' ? 'clearTimeout' : 'clearInterval'
  mock.timers.enable({ apis: [name] })
  for (const method of [name, clear] as const) mock.method(timers, method, globalThis[method])
}
