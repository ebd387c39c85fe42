import { DatabaseSync } from 'node:sqlite'
import { usePostgres } from '../processes/postgres.ts'

const categories = 50

/** Fills an empty, migrated store with so many pets, of every status, in fifty categories; no service may be running. Leaves the database with no maintenance to do. */
export async function fillPets(address: string, count: number): Promise<void> {
  const insert = `insert into pets (name, name_key, category_id, stated, on_hand)
    select 'Pet ' || n, 'pet ' || n, n % ${categories},
      case n / ${categories} % 4 when 0 then 'available' when 1 then 'pending' when 2 then 'sold' end,
      case n / ${categories} % 4 when 2 then 0 else 1 end`
  if (!address.startsWith('sqlite:')) {
    const { query } = usePostgres(address)
    await query(`${insert} from generate_series(1::bigint, ${count}) as numbers (n)`)
    await query('vacuum analyze pets')
    await query('checkpoint')
    return
  }
  using database = new DatabaseSync(address.replace('sqlite:', ''))
  database.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    ${insert} from numbers`)
  database.exec('pragma wal_checkpoint(truncate)')
}
