type Pet = { id: unknown; categoryId: unknown }

/** What a client generates of the interface, with its own types. */
type Subject<Own extends Pet> = {
  list(): Promise<readonly Own[]>
  get(petId: Own['id']): Promise<Own>
  create(pet: { name: string; categoryId: Own['categoryId'] }): Promise<Own>
}

export const { BASE_URL: baseUrl = '', KEY: key = '' } = process.env

/** Prints the id of the first pet, then that id and its category once they have gone to the service and come back. */
export async function carry<Own extends Pet>({ list, get, create }: Subject<Own>): Promise<void> {
  const [first] = await list()
  if (first === undefined) throw new Error('There is no pet.')
  console.log(String(first.id))
  const { id, categoryId } = await get(first.id)
  const created = await create({ name: 'Ada', categoryId })
  console.log(`${id} ${created.categoryId}`)
}
