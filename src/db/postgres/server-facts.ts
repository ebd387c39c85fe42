import type { Replication } from '../load.ts'
import type { PostgresPrimary } from './inspect.ts'
import { findSettingIssues, type SettingIssue } from './migrate.ts'
import { readReplication } from './replication.ts'

/** What a PostgreSQL server says of itself. */
export type ServerFacts = {
  /** Such as 180004. */
  versionNumber: number
  /** By name; those that this version has. */
  settings: Readonly<Record<string, string>>
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

const settingNames = [
  'data_checksums',
  'max_connections',
  'reserved_connections',
  'superuser_reserved_connections',
  'synchronous_standby_names',
]

/** A session of another role hides what it is, but not its database; background processes have none. */
const sessions = `select count(*) filter (where application_name = 'petstore')::int as own,
  count(*) filter (where application_name <> 'petstore' and pid <> pg_backend_pid())::int as others
  from pg_stat_activity where backend_type = 'client backend' or (backend_type is null and datid is not null)`

const figures = `select current_setting('server_version_num')::int as "versionNumber",
  (select rolconnlimit from pg_roles where rolname = current_user) as "roleMax",
  (select datconnlimit from pg_database where datname = current_database()) as "databaseMax",
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayMigrate"`

/** Asks a primary; changes nothing. */
export async function readServerFacts({
  client,
  sql,
  hosts,
}: PostgresPrimary): Promise<ServerFacts> {
  const found = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [settingNames],
  )
  const settings = Object.fromEntries(found.rows.map(({ name, setting }) => [name, setting]))
  const { own, others } = (await client.query(sessions)).rows[0]
  const { roleMax, databaseMax, ...rest } = (await client.query(figures)).rows[0]
  const reserved = ['reserved_connections', 'superuser_reserved_connections']
  return {
    ...rest,
    replication: await readReplication(sql, hosts),
    settings,
    issues: await findSettingIssues(client),
    connections: {
      max: Number(settings.max_connections),
      reserved: reserved.reduce((sum, name) => sum + Number(settings[name] ?? 0), 0),
      own,
      others,
      roleMax,
      databaseMax,
    },
  }
}
