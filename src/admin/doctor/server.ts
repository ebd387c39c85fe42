import { isLoopback } from '../../config/is-loopback.ts'
import type { Replication } from '../../db/opening/load.ts'
import type { PostgresAddress } from '../../db/postgres/address.ts'
import { poolMaxOf } from '../../db/postgres/pool.ts'
import type { Checks } from './finding.ts'
import type { ServerRow } from './queries.ts'

type ServerFacts = ServerRow & {
  address: PostgresAddress
  replication: Replication
  /** How many processes a supervisor has. */
  processes?: number | undefined
}

/** PostgreSQL, beside what a start checks of it. */
export const serverChecks: Checks<ServerFacts> = {
  primary: ({ version, replication: { primary } }) => ({
    ok: `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}; ${primary} is the primary.`,
  }),

  standbys: ({ replication: { problem } }) =>
    problem !== undefined && {
      warning: `${problem} Start a standby and set synchronous_standby_names, or accept the loss.`,
    },

  tls({ address: { hosts, client } }) {
    const { ssl } = client
    const isVerified = typeof ssl === 'object' ? ssl.rejectUnauthorized !== false : ssl === true
    if (isVerified || hosts.every(({ host }) => isLoopback(host))) return false
    const problem = ssl
      ? 'The certificate of the server is not checked: another machine can pose as it'
      : 'The connection is not encrypted: the network between can read and change all data'
    return { warning: `${problem}. Use sslmode=verify-full.` }
  },

  connections({ max, reserved, own, others, roleMax, databaseMax, processes: wanted = 1 }) {
    // A process has one more while it starts.
    const each = poolMaxOf(wanted) + 1
    const limits = [roleMax, databaseMax].filter((limit) => limit >= 0)
    const room = Math.min(Math.max(max - reserved - others, 0), ...limits)
    const processes = Math.floor(room / each)
    const limited = limits.length > 0 ? `; the role or the database may have ${room}` : ''
    const used = `Of ${max} connections ${reserved} are reserved and ${others} in use by others, ${own} by the service${limited}: enough for ${processes} processes of up to ${each}`
    if (processes > wanted) return { ok: `${used}.` }
    return processes < wanted
      ? { error: `${used}, not for ${wanted}. Raise max_connections, or end other sessions.` }
      : { warning: `${used}, not for a further one during an update. Raise max_connections.` }
  },
}
