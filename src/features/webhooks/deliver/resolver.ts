import { lookup } from 'node:dns/promises'
import { timers } from '../../../timers.ts'

type IpAddress = { address: string; family: number }

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly IpAddress[]>

const waitMaxMs = 5_000
/**
 * Lookups that run at the same time, by how fast the last one of the name was: each blocks one of the four threads that all
 * work of the process shares, until the system gives up. Names that answer wait for none that do not.
 */
const runningMax = { fast: 3, unknown: 2, slow: 1 }
const rememberedMax = 1_000

/** Asks the system, as all of its programs do. Requests for one name share a lookup; it rejects after 5 s at most. */
export function createResolver(lookUp = askSystem, maxMs = waitMaxMs): Resolve {
  const asked = new Map<string, Promise<readonly IpAddress[]>>()
  const waiting = new Map<string, () => void>()
  const limits = new Map<string, number>()
  let running = 0

  function ask(name: string): Promise<readonly IpAddress[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly IpAddress[]>()
    let limit = runningMax.fast
    const timer = timers
      .setTimeout(() => {
        limit = runningMax.slow
        // Further requests are refused with this one until the system has given up.
        if (waiting.delete(name)) asked.delete(name)
        reject(new Error(`There was no answer about ${name} within ${maxMs} ms.`))
      }, maxMs)
      .unref()
    waiting.set(name, () => {
      running += 1
      const end = () => {
        timers.clearTimeout(timer)
        if (limits.size >= rememberedMax) limits.clear()
        limits.set(name, limit)
        asked.delete(name)
        running -= 1
        startNext()
      }
      lookUp(name).finally(end).then(resolve, reject)
    })
    asked.set(name, promise)
    startNext()
    return promise
  }

  function startNext() {
    for (const [name, start] of waiting) {
      if (running >= (limits.get(name) ?? runningMax.unknown)) continue
      waiting.delete(name)
      start()
    }
  }

  return (name) => asked.get(name) ?? ask(name)
}

const askSystem: Resolve = (name) => lookup(name, { all: true, order: 'verbatim' })
