import { queryOnce } from '../../db/records/rows.ts'

/** How PostgreSQL counts connections, and its version, such as 180004; -1 for no limit. */
export type ServerRow = Record<
  'version' | 'max' | 'reserved' | 'own' | 'others' | 'roleMax' | 'databaseMax',
  number
>

/** A session of another role hides what it is, but not its database; background processes have none. */
export const selectServer = queryOnce(async (sql): Promise<ServerRow> => {
  const [row = []] = await sql.all(
    `select current_setting('server_version_num'), current_setting('max_connections'),
      current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true)::int, 0),
      count(*) filter (where application_name = 'petstore' and pid <> pg_backend_pid()),
      count(*) filter (where application_name <> 'petstore'),
      (select rolconnlimit from pg_roles where rolname = current_user),
      (select datconnlimit from pg_database where datname = current_database())
    from pg_stat_activity where backend_type = 'client backend' or (backend_type is null and datid is not null)`,
  )
  const [version = 0, max = 0, reserved = 0, own = 0, others = 0, roleMax = -1, databaseMax = -1] =
    row.map(Number)
  return { version, max, reserved, own, others, roleMax, databaseMax }
})
