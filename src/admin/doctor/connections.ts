import type { HostFacts, Link } from '../../db/postgres/inspect.ts'
import { poolMax } from '../../db/postgres/pool.ts'
import type { ServerFacts } from '../../db/postgres/server-facts.ts'
import { error, type Finding, ok, warning } from './finding.ts'
import { listed } from './quantities.ts'
import { isLoopback } from './settings.ts'

/** A process has one more while it starts. */
const neededForProcess = poolMax + 1

/** Which hosts respond, and as what. */
export function checkHosts(hosts: readonly HostFacts[]): Finding[] {
  const isServed = hosts.some(({ role }) => role === 'primary')
  return [
    ...hosts.map((host) => checkHost(host, { isServed })),
    ...(isServed ? [] : [error('primary', withoutPrimary)]),
  ]
}

const withoutPrimary =
  'No host accepts writes, so a start fails. Start a primary, or correct PETSTORE_DATABASE.'

function checkHost(host: HostFacts, { isServed }: { isServed: boolean }): Finding {
  const { name, role, problem = '' } = host
  if (role === 'primary') return ok('hosts', `${name} is the primary.`)
  if (role === 'standby')
    return ok('hosts', `${name} is a standby, or read-only; it is not used until it is promoted.`)
  const raise = isServed ? warning : error
  return raise('hosts', `${name} does not let us in: ${problem}. ${remedyFor(host)}`)
}

function remedyFor({ code = '', problem = '' }: HostFacts): string {
  if (code.startsWith('28')) return 'Correct the user and the password in PETSTORE_DATABASE.'
  if (code === '3D000') return 'Create the database, or correct its name in PETSTORE_DATABASE.'
  if (code.startsWith('53')) return 'Raise max_connections, or end sessions.'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'Correct the host in PETSTORE_DATABASE, or its entry in the DNS.'
  if (/SSL|TLS|CERT|SELF_SIGNED|UNABLE_TO/.test(`${code} ${problem}`))
    return 'Correct the server’s certificate, or sslmode and sslrootcert in PETSTORE_DATABASE.'
  return 'Start the server, and look at its log, its address and the firewall.'
}

/** Whether the network can read what is sent. */
export function checkLink(host: string, link: Link): Finding {
  const { isEncrypted, isVerified, protocol } = link
  if (isEncrypted && isVerified)
    return ok('tls', `The connection is encrypted (${protocol}), and the certificate is checked.`)
  if (isEncrypted) {
    return warning(
      'tls',
      'The connection is encrypted, but the certificate is not checked: another machine can pose as the server. Use sslmode=verify-full.',
    )
  }
  if (isLoopback(host.replace(/:\d+$/, '')))
    return ok('tls', 'The connection is not encrypted, and does not leave this machine.')
  return warning(
    'tls',
    'The connection is not encrypted: the network between can read and change all data. Use sslmode=verify-full.',
  )
}

/** Whether there are connections for the processes of the service. */
export function checkConnections({ connections }: ServerFacts): Finding {
  const { max, reserved, own, others, roleMax, databaseMax } = connections
  const limits = [max - reserved - others, roleMax, databaseMax].filter((limit) => limit >= 0)
  const room = Math.max(max - reserved - others < 0 ? 0 : Math.min(...limits), 0)
  const processes = Math.floor(room / neededForProcess)
  const limited = [
    ...(roleMax >= 0 ? [`${roleMax} for the role`] : []),
    ...(databaseMax >= 0 ? [`${databaseMax} for the database`] : []),
  ]
  const of = `Of ${max} connections ${reserved} are reserved and ${others} in use by others, ${own} by the service${
    limited.length > 0 ? `; the limit is ${listed(limited)}` : ''
  }`
  if (processes === 0) {
    return error(
      'connections',
      `${of}: too few for one process, which opens up to ${neededForProcess}. Raise max_connections, or end other sessions.`,
    )
  }
  if (processes === 1) {
    return warning(
      'connections',
      `${of}: enough for one process of ${neededForProcess}, not for a second one during an update. Raise max_connections.`,
    )
  }
  return ok('connections', `${of}: enough for ${processes} processes of ${neededForProcess} each.`)
}
