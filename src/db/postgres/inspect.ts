import type pg from 'pg'
import { nameOfHost, parseAddress } from './address.ts'
import { endSession, openSession, StandbyFound, selectStorePath } from './session.ts'
import { type PostgresSql, sqlOn } from './sql.ts'

/** A host of an address, as it was found. */
export type HostFacts = {
  name: string
  role: 'primary' | 'standby' | 'unreachable'
  /** What it or the network said, where it is unreachable. */
  problem?: string
  /** The SQLSTATE, or Node's code of the error. */
  code?: string | undefined
}

/** How a connection to PostgreSQL is encrypted, and whether its certificate is checked. */
export type Link = { isEncrypted: boolean; isVerified: boolean; protocol: string | null }

export type PostgresPrimary = {
  sql: PostgresSql
  client: pg.Client
  name: string
  link: Link
  hosts: number
}

const statementMaxMs = 5_000
const sessionOptions = {
  statement_timeout: statementMaxMs,
  lock_timeout: statementMaxMs,
  query_timeout: statementMaxMs + 1_000,
  application_name: 'petstore doctor',
}

/**
 * Connects to every host of an address, and reads from the first that accepts writes. Changes nothing. Throws what
 * `parseAddress` throws.
 */
export async function inspectPostgres<T>(
  text: string,
  read: (primary: PostgresPrimary) => Promise<T>,
): Promise<{ hosts: HostFacts[]; primary: T | undefined }> {
  const address = parseAddress(text)
  const hosts: HostFacts[] = []
  let primary: T | undefined
  for (const host of address.hosts) {
    const name = nameOfHost(host)
    const session = await openSession(address, host, sessionOptions).catch((error) => {
      hosts.push(describeHost(name, error))
    })
    if (session === undefined) continue
    const { client } = session
    try {
      hosts.push({ name, role: 'primary' })
      if (primary !== undefined) continue
      await client.query(selectStorePath, [null])
      const link = await linkOf(client, address.client)
      primary = await read({ sql: sqlOn(client), client, name, link, hosts: address.hosts.length })
    } finally {
      endSession(client)
    }
  }
  return { hosts, primary }
}

function describeHost(name: string, error: Error & { code?: string }): HostFacts {
  if (error instanceof StandbyFound) return { name, role: 'standby' }
  return { name, role: 'unreachable', problem: error.message, code: error.code }
}

async function linkOf(client: pg.Client, { ssl }: pg.ClientConfig): Promise<Link> {
  const { rows } = await client.query<{ ssl: boolean; version: string | null }>(
    'select ssl, version from pg_stat_ssl where pid = pg_backend_pid()',
  )
  const isVerified = typeof ssl === 'object' ? ssl.rejectUnauthorized !== false : ssl === true
  return { isEncrypted: rows[0]?.ssl ?? false, isVerified, protocol: rows[0]?.version ?? null }
}
