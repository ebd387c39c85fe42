import { timers } from '../timers.ts'
import { KeyLine } from './key-line.ts'

/** Waits until a piece of work of this key may use the serving thread. */
export type TakeSlice = (keyId: bigint | undefined) => Promise<void>

/** Each takes a millisecond or two. */
const slicesPerTurn = 8

/**
 * Divides the serving thread among work that comes in pieces: streams and files. So many pieces run in a turn of the event
 * loop, however many there are in all, by key in turn; in between other requests are served.
 */
export function createSlices(): TakeSlice {
  const line = new KeyLine<() => void>()
  let isScheduled = false

  function schedule() {
    if (isScheduled || line.size === 0) return
    isScheduled = true
    timers.setImmediate(grant)
  }

  function grant() {
    isScheduled = false
    for (let left = slicesPerTurn; left > 0; left--) line.take()?.()
    schedule()
  }

  return (keyId) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    line.add(keyId, resolve)
    schedule()
    return promise
  }
}
