import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

const categories = 50

/** The pets from a relation `numbers` of `n`: of every status, in fifty categories. */
const insertPets = `insert into pets (name, name_key, category_id, stated, on_hand)
  select 'Pet ' || n, 'pet ' || n, n % ${categories},
    case n / ${categories} % 4 when 0 then 'available' when 1 then 'pending' when 2 then 'sold' end,
    case n / ${categories} % 4 when 2 then 0 else 1 end`

/** Fills an empty, migrated store with so many pets; no service may be running. With `isIndexed` their words seem to be indexed. */
export async function fillPets(
  address: string,
  count: number,
  { isIndexed = false } = {},
): Promise<void> {
  const index = isIndexed ? `insert into pet_words_progress values (1, ${count})` : ''
  if (address.startsWith('sqlite:')) return fillSqlite(address.replace('sqlite:', ''), count, index)
  await onServer(address, async (client) => {
    await client.query(`${insertPets} from generate_series(1, ${count}) as numbers (n); ${index}`)
  })
}

/** Leaves the server with no maintenance to do. */
export async function onServer(
  address: string,
  fill: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await fill(client)
  await client.query('vacuum analyze pets')
  await client.query('checkpoint')
  await client.end()
}

/** Fills an empty, migrated file as `fillPets` does. */
export function fillSqlite(path: string, count: number, then = ''): void {
  using database = new DatabaseSync(path)
  database.exec('pragma cache_size = -262144')
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    ${insertPets} from numbers; ${then}`)
  database.exec('pragma wal_checkpoint(truncate)')
}

/** Adds delivered orders of every tenth pet to what `fillSqlite` has filled. */
export function fillOrders(path: string): void {
  using database = new DatabaseSync(path)
  const orderedMs = Date.parse('2026-10-05T00:00:00Z')
  database.exec(`insert into orders (pet_id, quantity, status, reference, created_at, ship_date)
    select id, 1, 'delivered', 'order of pet ' || id, ${orderedMs} + id, ${orderedMs} + id + 1000
    from pets where id % 10 = 0;
    pragma wal_checkpoint(truncate)`)
}
