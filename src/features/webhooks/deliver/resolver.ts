import { lookup } from 'node:dns/promises'
import { createLimiter } from '../../../db/batching/limiter.ts'
import { performance } from '../../../timers.ts'

type IpAddress = { address: string; family: number }

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly IpAddress[]>

/**
 * Asks the system, as all of its programs do. Each lookup blocks a thread, of which Node uses half for that, two by default:
 * requests for one name share a lookup, and names of which the last one took long take turns on one thread.
 */
export function createResolver(lookUp = askSystem, slowMs = 1_000): Resolve {
  const asked = new Map<string, ReturnType<Resolve>>()
  const slow = new Set<string>()
  const slowLookups = createLimiter(1)

  async function timed(name: string) {
    const startMs = performance.now()
    try {
      return await lookUp(name)
    } finally {
      if (performance.now() - startMs < slowMs) slow.delete(name)
      else slow.add(name)
    }
  }

  return (name) => {
    const ask = () => timed(name)
    const found = asked.get(name) ?? (slow.has(name) ? slowLookups.run(ask) : ask())
    asked.set(name, found)
    return found.finally(() => asked.delete(name))
  }
}

const askSystem: Resolve = (name) => lookup(name, { all: true, order: 'verbatim' })
