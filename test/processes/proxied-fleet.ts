import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import type { PostgresServer } from './postgres.ts'
import { type Fleet, startFleet } from './postgres-faults.ts'

/** Two services on one database. The first connects through a proxy. */
export type ProxiedFleet = {
  proxy: FaultProxy
  fleet: Fleet
  /** The address of the database. */
  address: string
  /** The address for the first service. */
  throughProxy: string
  /** Stops the server too. */
  stop(): Promise<void>
}

/** Starts two services on a new database of this server. Stops the server and what was started when the rest fails to start. */
export async function startProxiedFleet(server: PostgresServer): Promise<ProxiedFleet> {
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
