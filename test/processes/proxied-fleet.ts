import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { type OwnPostgres, startPostgres } from './postgres.ts'
import { type Fleet, startFleet } from './postgres-faults.ts'

/** Two services on one database of a separate PostgreSQL server. The first connects through a proxy. */
export type ProxiedFleet = {
  server: OwnPostgres
  proxy: FaultProxy
  fleet: Fleet
  /** The address of the database. */
  address: string
  /** The address for the first service. */
  throughProxy: string
  stop(): Promise<void>
}

/** Stops what was started when the rest fails to start. */
export async function startProxiedFleet(): Promise<ProxiedFleet> {
  await using starting = new AsyncDisposableStack()
  const server = await startPostgres()
  starting.defer(() => server.stop())
  const proxy = await startFaultProxy(server.port)
  starting.defer(() => proxy.close())
  const address = await server.createDatabase()
  const throughProxy = address.replace(`:${server.port}/`, `:${proxy.port}/`)
  const fleet = await startFleet(throughProxy, { secondAddress: address })
  starting.use(fleet)
  const started = starting.move()
  return { server, proxy, fleet, address, throughProxy, stop: () => started.disposeAsync() }
}
