import type { Environment } from '../../config/settings.ts'
import { oneByOne } from '../../db/db.ts'
import { queryOnce } from '../../db/records/rows.ts'

/** The environment of the database; `undefined` where it is unclaimed. */
export const selectEnvironment = queryOnce(async (sql) => {
  const [row] = await sql.all<[string]>('select name from environment')
  return row?.[0]
})

/** Claims an unclaimed database for an environment; returns its environment. */
export const insertEnvironment = oneByOne<Environment, Environment>({
  name: 'insertEnvironment',
  async run(sql, environment) {
    await sql.all('insert into environment (id, name) values (1, ?1) on conflict (id) do nothing', [
      environment,
    ])
    const [row] = await sql.all<[Environment]>('select name from environment')
    return (row as [Environment])[0]
  },
})
