import { startFaultProxy } from './fault-proxy.ts'
import type { PostgresServer } from './postgres.ts'
import { startFleet } from './postgres-faults.ts'

export type ProxiedFleet = Awaited<ReturnType<typeof startProxiedFleet>>

/**
 * Starts two services on a new database of this server; the first connects through a proxy. Stops the server and what was
 * started when the rest fails to start.
 */
export async function startProxiedFleet(server: PostgresServer) {
  await using starting = new AsyncDisposableStack()
  starting.defer(() => server.stop())
  const proxy = await startFaultProxy(server.port)
  starting.defer(() => proxy.close())
  const address = await server.createDatabase()
  const throughProxy = address.replace(`:${server.port}/`, `:${proxy.port}/`)
  const fleet = await startFleet(throughProxy, { secondAddress: address })
  starting.use(fleet)
  const started = starting.move()
  return { proxy, fleet, address, throughProxy, stop: () => started.disposeAsync() }
}
