import type { HostFacts, Link, ServerFacts } from '../../db/postgres/look.ts'
import { poolMaxOf } from '../../db/postgres/pool.ts'
import type { Checks } from './finding.ts'
import { isLoopback, listed } from './quantities.ts'

/** Which hosts respond, and as what; whether the network can read what is sent. */
export const hostChecks: Checks<{
  hosts: readonly HostFacts[]
  link?: (Link & { host: string }) | undefined
}> = {
  hosts: ({ hosts }) =>
    hosts.map((host) => {
      const { name, role, problem = '' } = host
      if (role === 'primary') return { ok: `${name} is the primary.` }
      if (role === 'standby')
        return { ok: `${name} is a standby, or read-only; it is not used until it is promoted.` }
      return {
        [hasPrimary(hosts) ? 'warning' : 'error']:
          `${name} does not let us in: ${problem}. ${remedyFor(host)}`,
      }
    }),

  primary({ hosts }) {
    const primaries = hosts.filter(({ role }) => role === 'primary').map(({ name }) => name)
    if (primaries.length === 0) {
      return {
        error:
          'No host accepts writes, so a start fails. Start a primary, or correct PETSTORE_DATABASE.',
      }
    }
    return (
      primaries.length > 1 && {
        error: `${listed(primaries)} accept writes: all but one were deposed and still run. Stop them.`,
      }
    )
  },

  tls({ link }) {
    if (link === undefined) return false
    const { host, isEncrypted, isVerified, protocol } = link
    if (isEncrypted && isVerified)
      return { ok: `The connection is encrypted (${protocol}), and the certificate is checked.` }
    if (isEncrypted) {
      return {
        warning:
          'The connection is encrypted, but the certificate is not checked: another machine can pose as the server. Use sslmode=verify-full.',
      }
    }
    if (isLoopback(host.replace(/:\d+$/, '')))
      return { ok: 'The connection is not encrypted, and does not leave this machine.' }
    return {
      warning:
        'The connection is not encrypted: the network between can read and change all data. Use sslmode=verify-full.',
    }
  },
}

function hasPrimary(hosts: readonly HostFacts[]): boolean {
  return hosts.some(({ role }) => role === 'primary')
}

function remedyFor({ code = '', problem = '' }: HostFacts): string {
  if (code === 'configuration') return 'Or connect past the pooler.'
  if (code.startsWith('28')) return 'Correct the user and the password in PETSTORE_DATABASE.'
  if (code === '3D000') return 'Create the database, or correct its name in PETSTORE_DATABASE.'
  if (code.startsWith('53')) return 'Raise max_connections, or end sessions.'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'Correct the host in PETSTORE_DATABASE, or its entry in the DNS.'
  if (/SSL|TLS|CERT|SELF_SIGNED|UNABLE_TO/.test(`${code} ${problem}`))
    return 'Correct the server’s certificate, or sslmode and sslrootcert in PETSTORE_DATABASE.'
  return 'Start the server, and look at its log, its address and the firewall.'
}

/** Whether the server keeps what it acknowledged, and stays able to. */
export const serverChecks: Checks<ServerFacts> = {
  version: ({ versionNumber }) => ({
    ok: `PostgreSQL ${Math.floor(versionNumber / 10_000)}.${versionNumber % 10_000}.`,
  }),

  durability({ issues }) {
    if (issues.length === 0) return { ok: 'Commits are synced: fsync is on.' }
    return issues.map(({ isFatal, sentence }) =>
      isFatal
        ? { error: `A start refuses this server: ${sentence}. Correct that.` }
        : { warning: `A start warns of this server: ${sentence}. Turn it on.` },
    )
  },

  checksums: ({ hasChecksums }) =>
    hasChecksums
      ? { ok: 'Pages have checksums.' }
      : {
          warning:
            'Pages have no checksums: damage of the disk goes unnoticed. Stop the server, run pg_checksums --enable, start it.',
        },

  standbys({ replication: { standbys, synchronousStandbys, behindBytes, problem } }) {
    if (problem !== undefined) {
      return {
        warning: `${problem} Start a standby and set synchronous_standby_names, or accept the loss.`,
      }
    }
    if (standbys === 0) return false
    const synchronous =
      synchronousStandbys === undefined ? '' : `, ${synchronousStandbys} synchronous`
    const behind = behindBytes === undefined ? '' : `, the last ${behindBytes} bytes behind`
    return { ok: `Standbys: ${standbys}${synchronous}${behind}; commits wait.` }
  },

  events: ({ delay }) => delay !== undefined && { warning: delay },
}

type ConnectionsFacts = Pick<ServerFacts, 'connections'> & {
  /** How many processes a supervisor has. */
  processes?: number | undefined
}

/** Whether there are connections for the processes of the service. */
export const connectionsChecks: Checks<ConnectionsFacts> = {
  connections({
    connections: { max, reserved, own, others, roleMax, databaseMax },
    processes: wanted = 1,
  }) {
    // A process has one more while it starts.
    const neededForProcess = poolMaxOf(wanted) + 1
    const each = wanted === 1 ? 'one process' : `${wanted} processes`
    const limits = [
      ...(roleMax >= 0 ? [`${roleMax} for the role`] : []),
      ...(databaseMax >= 0 ? [`${databaseMax} for the database`] : []),
    ]
    const limited = limits.length > 0 ? `; the limit is ${listed(limits)}` : ''
    const used = `Of ${max} connections ${reserved} are reserved and ${others} in use by others, ${own} by the service${limited}`
    const counts = [Math.max(max - reserved - others, 0), roleMax, databaseMax]
    const room = Math.min(...counts.filter((count) => count >= 0))
    const processes = Math.floor(room / neededForProcess)
    if (processes < wanted) {
      return {
        error: `${used}: too few for ${each}, ${wanted === 1 ? 'which opens' : 'each of which opens'} up to ${neededForProcess}. Raise max_connections, or end other sessions.`,
      }
    }
    if (processes === wanted) {
      return {
        warning: `${used}: enough for ${each} of ${neededForProcess}, not for ${wanted === 1 ? 'a second' : 'a further'} one during an update. Raise max_connections.`,
      }
    }
    return { ok: `${used}: enough for ${processes} processes of ${neededForProcess} each.` }
  },
}
