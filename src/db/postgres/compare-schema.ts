import { readFileSync } from 'node:fs'
import type { Sql } from '../db.ts'
import {
  compareObjects,
  type SchemaDifference,
  type SchemaObject,
} from '../schema/schema-difference.ts'

/** A line for each object that the migrations make: type, name and definition. `npm run upgrade-store` writes it. */
export const schemaFile = new URL('../../../migrations/postgres-schema.tsv', import.meta.url)

/**
 * Compares the tables of a store, and all that belongs to them, with what the migrations make. Tables, views and functions
 * of others are no differences, and neither are indexes that others added to make queries faster.
 */
export async function compareSchema(sql: Pick<Sql, 'all'>): Promise<SchemaDifference[]> {
  const lines = readFileSync(schemaFile, 'utf8').trimEnd().split('\n')
  const expected = lines.map((line) => objectOf(line.split('\t') as SchemaRow))
  const tables = expected.flatMap(({ type, name }) => (type === 'table' ? [name] : []))
  const differences = compareObjects(expected, await describeSchema(sql, tables))
  return differences.filter(({ kind, type }) => kind !== 'foreign' || type !== 'index')
}

type SchemaRow = [type: string, name: string, definition: string]

function objectOf([type, name, definition]: SchemaRow): SchemaObject {
  return { type, name, definition: definition.replaceAll(/\s+/g, ' ') }
}

/** Describes these tables of the store, alike on PostgreSQL 15 to 18. */
export async function describeSchema(
  { all }: Pick<Sql, 'all'>,
  tables: readonly string[],
): Promise<SchemaObject[]> {
  return (await all<SchemaRow>(selectObjects, [tables.join(' ')])).map(objectOf)
}

// A constraint that is not validated applies to every write, too. The not-null constraints of PostgreSQL 18 are omitted:
// the columns have the same fact in all versions.
const selectObjects = `select * from (with tables as (
  select oid, relname, relkind, relpersistence, relrowsecurity from pg_class
  where relnamespace = (select oid from pg_namespace where nspname = current_schema()) and relname = any(string_to_array(?1, ' '))
)
select 'table', relname::text,
  concat(relkind, ' ', relpersistence, case when relrowsecurity then ' row security' end)
from tables
union all
select 'column', relname || '.' || attname, concat_ws(' ', format_type(atttypid, atttypmod),
  case when attcollation <> typcollation then 'collate ' || attcollation::regcollation end,
  case when attnotnull then 'not null' end,
  case attidentity when 'a' then 'identity always' when 'd' then 'identity by default' end,
  case when attgenerated = 's' then 'stored' when attgenerated <> '' then 'virtual' end,
  pg_get_expr(adbin, adrelid))
from tables join pg_attribute on attrelid = tables.oid join pg_type on pg_type.oid = atttypid
  left join pg_attrdef on adrelid = tables.oid and adnum = attnum
where attnum > 0 and not attisdropped
union all
select 'sequence', pg_class.relname::text,
  concat_ws(' ', seqtypid::regtype, seqincrement, seqmin, seqmax, case when seqcycle then 'cycle' end)
from tables join pg_depend on refobjid = tables.oid and deptype = 'i' and refclassid = 'pg_class'::regclass
  join pg_sequence on seqrelid = objid join pg_class on pg_class.oid = seqrelid
where classid = 'pg_class'::regclass
union all
select 'constraint', relname || '.' || conname,
  replace(pg_get_constraintdef(pg_constraint.oid, true), ' NOT VALID', '')
from tables join pg_constraint on conrelid = tables.oid
where contype not in ('n', 't')
union all
select case when indisunique then 'unique index' else 'index' end, indexrelid::regclass::text,
  pg_get_indexdef(indexrelid, 0, true) || case when indisvalid then '' else ' invalid' end
from tables join pg_index on indrelid = tables.oid
where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
union all
select 'trigger', relname || '.' || tgname, concat(pg_get_triggerdef(pg_trigger.oid, true), ' ', tgenabled)
from tables join pg_trigger on tgrelid = tables.oid
where not tgisinternal
union all
select 'rule', relname || '.' || rulename, pg_get_ruledef(pg_rewrite.oid, true)
from tables join pg_rewrite on ev_class = tables.oid
union all
select 'policy', relname || '.' || polname, '' from tables join pg_policy on polrelid = tables.oid
) as objects (type, name, definition) order by type collate "C", name collate "C"`
