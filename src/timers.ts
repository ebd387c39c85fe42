import { performance as monotonic } from 'node:perf_hooks'
import * as callbacks from 'node:timers'
import * as promises from 'node:timers/promises'

// The timers and clocks as they were when this was loaded: a test may replace them while its store runs. src/start-petstore.ts
// loads it at once, and nothing else of the source uses the global ones (biome.json).

const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval } = callbacks
export const timers = { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval }
export const { setTimeout: sleep, setImmediate: turn } = promises
export const dateNow = Date.now
export const performance = {
  now: monotonic.now.bind(monotonic),
  timeOrigin: monotonic.timeOrigin,
}
