import type { Context } from '../../context/context.ts'
import { selectContents } from './queries.ts'

/** The kinds of records in a store, in words for people; an empty array for an empty store. */
export async function listContents({ db }: Pick<Context, 'db'>): Promise<string[]> {
  const { pets, categories, orders } = await db.read(selectContents, undefined)
  return [
    ...(pets ? ['pets'] : []),
    ...(categories ? ['categories'] : []),
    ...(orders ? ['orders'] : []),
  ]
}
