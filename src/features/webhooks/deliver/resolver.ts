import { lookup } from 'node:dns/promises'
import { createMutex } from '../../../db/batching/mutex.ts'
import { performance } from '../../../timers.ts'

type IpAddress = { address: string; family: number }

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly IpAddress[]>

const slowMax = 1_000

/**
 * Asks the system, as all of its programs do. Each lookup blocks a thread, of which Node uses half for that, two by default:
 * requests for one name share a lookup, and names that were not found after long take turns on one thread.
 */
export function createResolver(lookUp = askSystem, slowMs = 1_000): Resolve {
  const asked = new Map<string, ReturnType<Resolve>>()
  const slow = new Set<string>()
  const inTurn = createMutex()

  async function timed(name: string) {
    const startMs = performance.now()
    try {
      const addresses = await lookUp(name)
      // Also where it took long: it may have waited for the threads.
      slow.delete(name)
      return addresses
    } catch (error) {
      slow.delete(name)
      if (slow.size >= slowMax) slow.clear()
      if (performance.now() - startMs >= slowMs) slow.add(name)
      throw error
    }
  }

  return (name) => {
    const ask = () => timed(name)
    const found = asked.get(name) ?? (slow.has(name) ? inTurn(ask) : ask())
    asked.set(name, found)
    return found.finally(() => asked.delete(name))
  }
}

const askSystem: Resolve = (name) => lookup(name, { all: true, order: 'verbatim' })
