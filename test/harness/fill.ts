import { DatabaseSync } from 'node:sqlite'
import { usePostgres } from '../processes/postgres.ts'

const categories = 50

/** Fills an empty, migrated store with so many pets, of every status, in fifty categories. */
export async function fillPets(address: string, count: number): Promise<void> {
  const insert = `insert into pets (name, name_key, category_id, stated, on_hand)
    select 'Pet ' || n, 'pet ' || n, n % ${categories},
      case n / ${categories} % 4 when 0 then 'available' when 1 then 'pending' when 2 then 'sold' end,
      case n / ${categories} % 4 when 2 then 0 else 1 end`
  await fill(address, { insert, count })
}

/** Where the matches of a search are: spread evenly over the ids, or at the last of them. */
type Spread = 'even' | 'last'
type Names = { pets: number; counts: readonly number[]; spread: Spread }

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** The prefix that this many pets have in a store filled with these counts. */
export function prefixFor(matches: number, counts: readonly number[]): string {
  const index = counts.toSorted((a, b) => b - a).indexOf(matches)
  return index < 0 ? 'zzz' : letters.slice(0, index + 1)
}

/** Fills an empty, migrated store with pets; for each of these counts, as many pets have one prefix. */
export async function fillWithNames(address: string, { pets, counts, spread }: Names) {
  // The larger its rank among all, the fewer of the prefixes a pet has. The rank has nothing to do with the id.
  const rank = spread === 'last' ? `${pets} - n` : `n * 7919 % ${pets}`
  const prefixes = counts.map((count) => `case when ${rank} < ${count} then 1 else 0 end`)
  const name = `substr('${letters}', 1, ${prefixes.join(' + ')}) || '~' || (n * 2654435761 % 4294967296)`
  const insert = `insert into pets (name, name_key, category_id, stated)
    select ${name}, ${name}, n % ${categories}, 'available'`
  await fill(address, { insert, count: pets })
}

/** Runs an insert for each `n` up to the count; no service may be running. Leaves the database with no maintenance to do. */
async function fill(
  address: string,
  { insert, count }: { insert: string; count: number },
): Promise<void> {
  if (!address.startsWith('sqlite:')) {
    const { query } = usePostgres(address)
    await query(`${insert} from generate_series(1::bigint, ${count}) as numbers (n)`)
    await query('vacuum analyze pets')
    await query('checkpoint')
    return
  }
  using database = new DatabaseSync(address.replace('sqlite:', ''))
  // Names may be in no order: without it, pages of their index would be written many times.
  database.exec('pragma cache_size = -2097152')
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    ${insert} from numbers`)
  database.exec('pragma wal_checkpoint(truncate)')
}
