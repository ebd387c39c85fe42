import type { Sql } from '../db.ts'
import type { Replication } from '../opening/load.ts'

/** A role without `pg_monitor` sees how many standbys there are, and nothing else about them. Copies that are being made are no standbys. */
const selectStandbys = `select count(*),
    case when count(*) = count(sync_state) then count(*) filter (where sync_state in ('sync', 'quorum')) end,
    max(pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn))::bigint,
    (current_setting('synchronous_standby_names') <> '')::int
  from pg_stat_replication where state is distinct from 'backup'`

/** What the primary knows of its standbys. `hosts`: how many the address lists. */
export async function readReplication(
  sql: Pick<Sql, 'all'>,
  hosts: number,
): Promise<Omit<Replication, 'primary'>> {
  const [row] = await sql.all<[bigint, bigint | null, bigint | null, bigint]>(selectStandbys)
  const [standbys = 0, synchronous, behind, waits] = row?.map(toNumber) ?? []
  const facts = {
    standbys,
    ...(synchronous === undefined ? {} : { synchronousStandbys: synchronous }),
    ...(behind === undefined ? {} : { behindBytes: Math.max(behind, 0) }),
  }
  const problem = describeRisk({ standbys, synchronous, waits: waits === 1, hosts })
  return problem === undefined ? facts : { ...facts, problem }
}

type Risk = { standbys: number; synchronous: number | undefined; waits: boolean; hosts: number }

function toNumber(value: bigint | null): number | undefined {
  return value === null ? undefined : Number(value)
}

/** A server on its own is no problem where nothing says that it has standbys. */
function describeRisk({ standbys, synchronous, waits, hosts }: Risk): string | undefined {
  if (standbys === 0 && waits) return 'No standby is connected, and commits wait for one.'
  if (standbys === 0 && hosts > 1)
    return 'No standby is connected: a failover would lose acknowledged writes.'
  if (standbys > 0 && !waits)
    return 'Commits wait for no standby: a failover loses what a standby does not have.'
  if (standbys > 0 && synchronous === 0)
    return 'No standby that is connected is synchronous, and commits wait for one.'
  return undefined
}
