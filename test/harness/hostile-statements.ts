import { integer, one, type SeededRandom } from './seeded-random.ts'
import { quoted } from './sqlite-file.ts'

const hostileTexts = [
  '',
  '\u001b[2J\u001b]0;owned\u0007',
  '\u009b31m',
  "x'; drop table pets; --",
  'pets',
  '0',
  '-1',
  '9'.repeat(400),
  'NaN',
  '1e999',
  '__proto__',
  '../../etc/passwd',
  '\u0000',
  '\u202egnp',
  '2026-02-31T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '[]',
  '{"pets":{"rows":0}}',
  '[',
  'x'.repeat(200_000),
] as const

const tables = ['pets', 'orders', 'keys', 'categories', 'idempotency_keys', 'environment'] as const
const anyTables = [
  ...tables,
  'migrations',
  'backup_manifest',
  'sqlite_sequence',
  'transfer_mark',
  'keys_revision',
] as const
const indexes = ['pets_status', 'pets_name', 'orders_due', 'idempotency_keys_expiry'] as const
const manifestColumns = ['manifest', 'sha256'] as const

const table = (random: SeededRandom) => one(tables, random)
const anyTable = (random: SeededRandom) => one(anyTables, random)
const anything = (random: SeededRandom) => one([...anyTables, ...indexes], random)
const hostile = (random: SeededRandom, quote?: string) => quoted(one(hostileTexts, random), quote)
const endless = `with recursive n (id) as (select 1 union all select id + 1 from n)`

/** Statements on the schema, the rows and the manifest of a backup. */
export const statements: ((random: SeededRandom) => string)[] = [
  (random) =>
    `create trigger t${integer(random, 0, 9)} after insert on ${table(random)} begin delete from orders; end`,
  (random) => `create trigger ${table(random)} before delete on keys begin select 1; end`,
  () => 'create view v as select * from pets',
  (random) => `create view ${hostile(random, '"')} as ${endless} select * from n`,
  (random) =>
    `drop table ${anyTable(random)}; create view ${anyTable(random)} as ${endless} select * from n`,
  () =>
    `drop table backup_manifest; create view backup_manifest as ${endless} select '{}' || id as manifest, 'x' as sha256 from n`,
  (random) => `create table ${hostile(random, '"')} (a, b unique)`,
  () => 'create table sqlite_like (a)',
  () => `create virtual table f using fts5(name)`,
  (random) =>
    `drop table ${anyTable(random)}; create virtual table ${anyTable(random)} using fts5(id, name, value)`,
  (random) => `drop index ${one(indexes, random)}`,
  (random) => `create index extra on ${table(random)} (1)`,
  (random) =>
    `drop table backup_manifest; create table backup_manifest (manifest, sha256${one([', more', '', ' as (1)'], random)})`,
  (random) => `alter table ${anyTable(random)} rename to ${hostile(random, '"')}`,
  (random) => `alter table ${table(random)} add column more text default 'x'`,
  () => `alter table pets add column more int as (length(zeroblob(1000000000)))`,
  () => 'analyze',
  () => 'pragma auto_vacuum = full; vacuum',
  (random) => `pragma page_size = ${one([512, 1024, 65_536], random)}; vacuum`,
  (random) => `pragma user_version = ${integer(random, -9, 9)}`,
  (random) => `pragma application_id = ${one([0, 0x70657473, 1], random)}`,
  (random) => `delete from ${anyTable(random)}`,
  (random) => `delete from migrations where rowid % ${integer(random, 2, 5)} = 0`,
  (random) => `insert into migrations values (${hostile(random)})`,
  (random) => `update migrations set name = ${hostile(random)} where rowid = 3`,
  (random) => `update environment set name = ${one(["'staging'", "'x'", hostile(random)], random)}`,
  (random) =>
    `update sqlite_sequence set seq = ${one(['-1', "'x'", '9223372036854775807', '1.5', 'null', "x'00'", '0', '9007199254740991'], random)}
      where name = '${table(random)}'`,
  () =>
    `insert into sqlite_sequence values ('pets', 3), ('pets', 'x'), ('store:x', 1), (null, null)`,
  (random) => `update pets set name = ${hostile(random)} where id % 7 = 1`,
  () => `update pets set name = cast(x'ff41' as text) where id = 2`,
  (random) =>
    `update pets set id = ${one(['-5', '0', '9223372036854775807', '9007199254740993'], random)} where id = 3`,
  (random) =>
    `update pets set on_hand = ${one(['-1', '9223372036854775807', '0'], random)}, reserved = 7 where id = 4`,
  (random) => `update pets set name_key = ${hostile(random)}`,
  () => `update orders set status = 'sold', pet_id = -1, created_at = 9223372036854775807`,
  () => `update orders set ship_date = -9223372036854775808, expires_at = 9e18`,
  () => `update keys set scopes = 'everything', created_at = 9223372036854775807, digest = x''`,
  () => `update idempotency_keys set answer = '[', expires_at = -1`,
  () => `update idempotency_keys set answer = '{"id":{"int64":"x"}}'`,
  (random) => `update backup_manifest set ${one(manifestColumns, random)} = ${hostile(random)}`,
  (random) => `insert into backup_manifest values (${hostile(random)}, 'x')`,
  () => 'delete from backup_manifest',
  () => `insert into backup_manifest ${endless} select '{}' || id, 'x' from n limit 20000`,
]

/** Statements with `writable_schema`; what they leave may be no schema. */
export const schemaStatements: ((random: SeededRandom) => string)[] = [
  (random) =>
    `update sqlite_schema set rootpage = ${integer(random, 0, 80)} where name = '${anyTable(random)}'`,
  (random) =>
    `update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = '${anything(random)}')
      where name = '${anything(random)}'`,
  (random) =>
    `update sqlite_schema set sql = replace(sql, ${one(["'strict'", "'not null'", "'check'", "'unique'", "'without rowid'", "'autoincrement'", "'text'"], random)}, '')
      where name = '${anyTable(random)}'`,
  (random) =>
    `update sqlite_schema set sql = replace(sql, 'id integer primary key', 'id integer default (${one(['randomblob(9)', "load_extension('x')", 'abs(-9223372036854775808)'], random)}) primary key')
      where name = '${anyTable(random)}'`,
  () => `update sqlite_schema set sql = replace(sql, '"name":"', '"jame":"') where name = 'pets'`,
  (random) =>
    `update sqlite_schema set type = ${one(["'view'", "'trigger'", "'index'", "'x'", 'null'], random)} where name = '${anything(random)}'`,
  (random) =>
    `update sqlite_schema set name = ${hostile(random)} where name = '${anything(random)}'`,
  (random) =>
    `update sqlite_schema set tbl_name = ${hostile(random)} where name = '${anything(random)}'`,
  (random) =>
    `update sqlite_schema set sql = ${one(['null', "'x'", "'create view pets as select 1'", hostile(random)], random)} where name = '${anything(random)}'`,
  (random) =>
    `insert into sqlite_schema select type, name, tbl_name, rootpage, sql from sqlite_schema where name = '${anything(random)}'`,
  (random) => `delete from sqlite_schema where name = '${anything(random)}'`,
]
