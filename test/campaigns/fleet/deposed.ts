import { create, type Observed } from '../../consistency/creates/clients.ts'
import { until } from '../../harness/until.ts'
import { usePostgres } from '../../processes/postgres.ts'
import type { Cluster, Node } from './cluster.ts'

/** The first hangs on the connection that was cut, the others wait for a primary. */
const attempts = 3

/** Resolves once each service has written, so that it knows the present primary. */
export async function untilEachWrites(fleet: Observed, { nodes }: Cluster): Promise<void> {
  for (const { service } of nodes) {
    await until(async () => (await createAt(fleet, service.baseUrl)) !== undefined)
  }
}

/**
 * Leaves the services only a deposed primary, which would still write, and tries creates there. Throws where one is
 * acknowledged, or has got as far as the id of a pet.
 */
export async function requireRefused(
  fleet: Observed,
  { nodes }: Cluster,
  [deposed, primary]: readonly [Node, Node],
): Promise<void> {
  const server = usePostgres(`postgres://postgres:choose-one@${deposed.address}/petstore`)
  const look = async () => {
    const text =
      "select pg_is_in_recovery() as recovers, last_value from pets, pg_sequence_last_value(pg_get_serial_sequence('pets', 'id')) as last_value limit 1"
    const { recovers, last_value: lastId } = (await server.query(text)).rows[0]
    if (recovers) throw new Error('The deposed primary is a standby already.')
    return lastId
  }
  const before = await look()
  primary.fromServices.cut()
  try {
    const tried = nodes.map(async ({ service }) => {
      for (let left = attempts; left > 0; left--) {
        const id = await createAt(fleet, service.baseUrl)
        if (id !== undefined) throw new Error(`A deposed primary has stored pet ${id}.`)
      }
    })
    await Promise.all(tried)
    const after = await look()
    if (after !== before) throw new Error(`A deposed primary has given the ids to ${after}.`)
  } finally {
    primary.fromServices.restore()
  }
}

function createAt({ key, history }: Observed, baseUrl: string): Promise<number | undefined> {
  return create({ baseUrls: [baseUrl], key, history }, { service: 0 })
}
