import type { Context } from '../../context/context.ts'
import { selectContents } from './queries.ts'

/** The kinds of records that a store has any of, as people call them; none where it is empty. */
export async function listContents({ db }: Context): Promise<string[]> {
  const { pets, categories, orders } = await db.read(selectContents, undefined)
  return [
    ...(pets ? ['pets'] : []),
    ...(categories ? ['categories'] : []),
    ...(orders ? ['orders'] : []),
  ]
}
