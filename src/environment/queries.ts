import type { Transaction } from '../db/seam.ts'
import type { Environment } from '../settings.ts'

/** Claims a database for an environment, unless it is claimed; answers whose it is. */
export const insertEnvironment: Transaction<Environment, Environment> = {
  name: 'insertEnvironment',
  together: false,
  async run(sql, [environment]) {
    await sql.all('insert into environment (id, name) values (1, ?1) on conflict (id) do nothing', [
      environment as Environment,
    ])
    const [row] = await sql.all<[Environment]>('select name from environment')
    return [{ value: (row as [Environment])[0] }]
  },
}
