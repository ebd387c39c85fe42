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
async function onServer(
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

/** Where the matches of a search are: spread evenly over the ids, or at the last of them. */
type Spread = 'even' | 'last'

const letters = 'abcdefghijklmnopqrstuvwxyz'
const rowsAtOnce = 10_000

/** The prefix that this many pets have in a store filled with these counts. */
export function prefixFor(matches: number, counts: readonly number[]): string {
  const index = counts.toSorted((a, b) => b - a).indexOf(matches)
  return index < 0 ? 'zzz' : letters.slice(0, index + 1)
}

type Names = { pets: number; counts: readonly number[]; spread: Spread }

/** Fills an empty, migrated store with pets; for each of these counts, as many pets have one prefix. */
export async function fillWithNames(address: string, names: Names): Promise<void> {
  if (address.startsWith('sqlite:')) return fillFileWithNames(address.replace('sqlite:', ''), names)
  await onServer(address, async (client) => {
    for (let first = 1; first <= names.pets; first += rowsAtOnce) {
      const count = Math.min(rowsAtOnce, names.pets - first + 1)
      const some = Array.from({ length: count }, (_, index) => nameOf(first + index, names))
      await client.query(
        `insert into pets (name, name_key, category_id, stated)
        select name, name, number % 50, 'available'
        from unnest($1::text[]) with ordinality as named (name, number)`,
        [some],
      )
    }
  })
}

function fillFileWithNames(path: string, names: Names): void {
  using database = new DatabaseSync(path)
  const insert = database.prepare(
    "insert into pets (name, name_key, category_id, stated) values (?1, ?1, ?2, 'available')",
  )
  // The names are in no order: without it, pages of their index would be written many times.
  database.exec('pragma cache_size = -2097152; begin')
  for (let id = 1; id <= names.pets; id++) insert.run(nameOf(id, names), id % 50)
  database.exec('commit; pragma wal_checkpoint(truncate)')
}

/** The larger its rank among all, the fewer of the prefixes a pet has. The rank has nothing to do with the id. */
function nameOf(id: number, { pets, counts, spread }: Names): string {
  const rank = spread === 'last' ? pets - id : (id * 7_919) % pets
  const begins = letters.slice(0, counts.filter((count) => rank < count).length)
  return `${begins}~${((id * 2_654_435_761) % 2 ** 32).toString(16)}`
}
