import type pg from 'pg'
import { OpenError } from '../errors.ts'
import type { Replication } from '../load.ts'
import type { Looking, StoreFacts } from '../store-facts.ts'
import { requireUnmarked, selectMark, transferMarkTable } from '../transfer-mark.ts'
import { type Host, nameOfHost, type PostgresAddress, parseAddress } from './address.ts'
import { describeLongDelay, findDelay } from './commit-delay.ts'
import { compareSchema } from './compare-schema.ts'
import { refuseSharedSession } from './find-primary.ts'
import { findSettingIssues, look, requireSchemaIn, type SettingIssue } from './migrate.ts'
import { readReplication } from './replication.ts'
import { endSession, openSession, prepareSession, StandbyFound } from './session.ts'
import { type PostgresSql, sqlOn } from './sql.ts'

/** A host of an address, as it was found. */
export type HostFacts = {
  name: string
  role: 'primary' | 'standby' | 'unreachable'
  /** What it or the network said, where it is unreachable. */
  problem?: string
  /** The SQLSTATE, Node's code of the error, or `configuration` for a pooler that shares sessions. */
  code?: string | undefined
}

/** How a connection to PostgreSQL is encrypted, and whether its certificate is checked. */
export type Link = { isEncrypted: boolean; isVerified: boolean; protocol: string | null }

/** What a PostgreSQL server says of itself. */
export type ServerFacts = {
  /** Such as 180004. */
  versionNumber: number
  /** Whether its pages have checksums. */
  hasChecksums: boolean
  /** The settings that a start refuses or warns of. */
  issues: readonly SettingIssue[]
  connections: {
    max: number
    reserved: number
    /** Sessions of this service, and of everybody else. */
    own: number
    others: number
    /** The limits of the role and of the database; -1 for none. */
    roleMax: number
    databaseMax: number
  }
  replication: Omit<Replication, 'primary'>
  /** Whether the role may create tables in the schema of the store. */
  mayMigrate: boolean
  /** Which session delays readers of the log, in a sentence; where there is a store. */
  delay?: string | undefined
}

type PrimaryFacts<Contents> = {
  name: string
  link: Link
  server: ServerFacts
  store: StoreFacts<Contents>
}

const statementMaxMs = 5_000
const limits = { statement_timeout: statementMaxMs, lock_timeout: statementMaxMs }
const sessionOptions = {
  query_timeout: statementMaxMs + 1_000,
  application_name: 'petstore doctor',
}

/**
 * Connects to every host of an address, and looks at the first that accepts writes and at its store. Changes nothing. Throws what
 * `parseAddress` throws.
 */
export async function lookAtDatabase<Contents>(
  { text, name }: { text: string; name: string },
  looking: Looking<Contents>,
): Promise<{ hosts: readonly HostFacts[]; primary: PrimaryFacts<Contents> | undefined }> {
  const address = parseAddress(text)
  const hosts: HostFacts[] = []
  let primary: PrimaryFacts<Contents> | undefined
  for (const host of address.hosts) {
    const hostName = nameOfHost(host)
    const session = await openUnshared(address, host).catch((error) => {
      hosts.push(describeHost(hostName, error))
    })
    if (session === undefined) continue
    const { client } = session
    try {
      hosts.push({ name: hostName, role: 'primary' })
      if (primary !== undefined) continue
      const unusable = await prepareSession(client, limits).then(() => undefined, asOpenError)
      const sql = sqlOn(client)
      const link = await linkOf(client, address.client)
      const server = await readServerFacts(client, sql, address.hosts.length)
      const store = await lookAtStore(name, { client, sql, server, unusable }, looking)
      const { log } = looking.storage
      const isServed = store.state === 'readable' && store.pending.length === 0
      const delay =
        log && isServed ? await describeLongDelay(() => findDelay(sql, log.table)) : undefined
      primary = { name: hostName, link, server: { ...server, delay }, store }
    } finally {
      endSession(client)
    }
  }
  return { hosts, primary }
}

async function openUnshared(address: PostgresAddress, host: Host) {
  const session = await openSession(address, host, sessionOptions)
  try {
    await refuseSharedSession(address, session)
    return session
  } catch (error) {
    endSession(session.client)
    throw error
  }
}

function asOpenError(error: unknown): OpenError {
  if (error instanceof OpenError) return error
  throw error
}

function describeHost(name: string, error: Error & { code?: string }): HostFacts {
  if (error instanceof StandbyFound) return { name, role: 'standby' }
  const code = error instanceof OpenError ? error.reason : error.code
  return { name, role: 'unreachable', problem: error.message.replace(/\.$/, ''), code }
}

async function linkOf(client: pg.Client, { ssl }: pg.ClientConfig): Promise<Link> {
  const { rows } = await client.query<{ ssl: boolean; version: string | null }>(
    'select ssl, version from pg_stat_ssl where pid = pg_backend_pid()',
  )
  const isVerified = typeof ssl === 'object' ? ssl.rejectUnauthorized !== false : ssl === true
  return { isEncrypted: rows[0]?.ssl ?? false, isVerified, protocol: rows[0]?.version ?? null }
}

/** A session of another role hides what it is, but not its database; background processes have none. */
const selectServer = `select current_setting('server_version_num')::int as "versionNumber",
  current_setting('data_checksums') = 'on' as "hasChecksums",
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayMigrate",
  json_build_object(
    'max', current_setting('max_connections')::int,
    'reserved', current_setting('superuser_reserved_connections')::int
      + coalesce(current_setting('reserved_connections', true)::int, 0),
    'own', count(*) filter (where application_name = 'petstore'),
    'others', count(*) filter (where application_name <> 'petstore' and pid <> pg_backend_pid()),
    'roleMax', (select rolconnlimit from pg_roles where rolname = current_user),
    'databaseMax', (select datconnlimit from pg_database where datname = current_database())
  ) as connections
  from pg_stat_activity where backend_type = 'client backend' or (backend_type is null and datid is not null)`

/** Asks a primary; changes nothing. */
async function readServerFacts(
  client: pg.Client,
  sql: PostgresSql,
  hosts: number,
): Promise<ServerFacts> {
  const { rows } = await client.query(selectServer)
  return {
    ...rows[0],
    replication: await readReplication(sql, hosts),
    issues: await findSettingIssues(client),
  }
}

type Examined = {
  client: pg.Client
  sql: PostgresSql
  server: ServerFacts
  /** Why there is no store, and cannot be one. */
  unusable: OpenError | undefined
}

async function lookAtStore<Contents>(
  name: string,
  { client, sql, server, unusable }: Examined,
  { storage, read }: Looking<Contents>,
): Promise<StoreFacts<Contents>> {
  const { own } = server.connections
  const servedBy = own === 0 ? undefined : `${own} sessions are open`
  const facts = { engine: 'postgres' as const, name, servedBy, pending: [] }
  if (unusable) return { ...facts, state: 'unreadable', problem: unusable }
  try {
    const { tables, pending } = await look(client, name)
    if (!tables.includes('migrations')) {
      return { ...facts, state: 'missing', problem: whyNotCreated(name, server) }
    }
    if (tables.includes(transferMarkTable)) requireUnmarked(await selectMark(sql), name)
    const isCurrent = pending.length === 0
    if (isCurrent) await requireSchemaIn(client, name, storage.tables)
    return {
      ...facts,
      state: 'readable',
      pending: pending.map((migration) => migration.name),
      contents: await read(sql, new Set(tables)),
      schema: isCurrent ? await compareSchema(sql) : [],
    }
  } catch (error) {
    const problem = error instanceof OpenError ? error : whyUnreadable(name, error)
    return { ...facts, state: 'unreadable', problem }
  }
}

/** A role with too few rights must not keep the findings about the server from being told. */
function whyUnreadable(name: string, error: unknown): string {
  const { message } = error as Error
  return `${name} cannot be read: ${message}. Grant the role the rights that docs/guides/postgresql.md lists.`
}

function whyNotCreated(name: string, { mayMigrate }: ServerFacts): string | undefined {
  if (mayMigrate) return undefined
  return `There is no store at ${name}, and this role may not create one. Start the service once as the owner of the database, or grant create on the schema.`
}
