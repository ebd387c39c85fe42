/** The id of the store's first pet, and the category of each pet. A double holds neither. */
const firstId = '9007199254740993'
const categoryId = '9007199254740995'

type Int64 = number | bigint
type Pet = { id: Int64; categoryId: Int64 }

/** What a client does with a store whose ids begin beyond 2^53. `Id` is what its types take for an int64. */
type Subject<Id extends Int64> = {
  list(query: { categoryId?: Id }): Promise<readonly Pet[]>
  get(petId: Id): Promise<Pet>
  create(body: { name: string; categoryId: Id }): Promise<Pet>
}

type Store = { baseUrl: string; key: string }

/**
 * Prints `exact`, `rounds` or `refuses`. Arguments of the program: the address of an empty store, its key, and `read` for a
 * client whose types cannot hold an int64, so that it can only be read with.
 */
export async function reportExactness<Id extends Int64>(
  connect: (store: Store) => Subject<Id> | Promise<Subject<Id>>,
): Promise<void> {
  const [baseUrl = '', key = '', use] = process.argv.slice(2)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = `{"name":"Zoe","categoryId":${categoryId}}`
  await fetch(`${baseUrl}/pets`, { method: 'POST', headers, body })
  const subject = await connect({ baseUrl, key })
  const seen = await (use === 'read' ? subject.list({}) : useBothWays(subject)).catch(String)
  if (typeof seen !== 'string')
    console.log(seen.length > 0 && seen.every(isExact) ? 'exact' : 'rounds')
  else console.log(/expected|invalid|safe/i.test(seen) ? 'refuses' : seen)
}

/** Returns the first pet, as it is found in three ways, and the category of a second one. */
async function useBothWays<Id extends Int64>(subject: Subject<Id>): Promise<Pet[]> {
  const toInt64 = (digits: string) => BigInt(digits) as Id
  const listed = await subject.list({ categoryId: toInt64(categoryId) })
  const got = await subject.get(toInt64(firstId))
  const created = await subject.create({ name: 'Ada', categoryId: toInt64(categoryId) })
  const all = await subject.list({ categoryId: toInt64(categoryId) })
  if (listed.length !== 1 || all.length !== 2) return []
  return [...listed, got, { ...created, id: BigInt(created.id) - 1n }]
}

function isExact(pet: Pet): boolean {
  return String(pet.id) === firstId && String(pet.categoryId) === categoryId
}
