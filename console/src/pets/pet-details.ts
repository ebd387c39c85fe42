import type { Int64, NewPetDetails, Pet, PetDetails } from '../../../client/src/index.ts'
import { isPrice } from '../../../src/contract/price.ts'
import { client, reader } from '../api/client.ts'

/** A pet with what the store tells about it, where it does. */
export type ShownPet = Pet & { details?: PetDetails }

/** Details as they are typed: a price as `249.00 EUR`, tags with spaces between. */
export type DetailsDraft = {
  price: string
  bornOn: string
  sex: NewPetDetails['sex'] | undefined
  tags: string
  description: string
}

export const detailsLabels = {
  ...{ price: 'Price', bornOn: 'Born', sex: 'Sex', tags: 'Tags', description: 'Description' },
} as const

type DetailsBody = { [Name in keyof DetailsDraft]: NewPetDetails[Name] | null }

/** A page of pets with their details. */
export async function withDetails(
  { data, nextCursor }: { data: readonly Pet[]; nextCursor: string | undefined },
  signal?: AbortSignal,
): Promise<{ data: ShownPet[]; nextCursor: string | undefined }> {
  const petId = data.map(({ id }) => id)
  const told =
    petId.length === 0
      ? []
      : (await reader.pets.details.list({ petId, limit: petId.length }, { signal })).data
  const byPet = new Map(told.map((details) => [String(details.petId), details]))
  const shown = data.map((pet) => {
    const details = byPet.get(String(pet.id))
    return details ? { ...pet, details } : pet
  })
  return { data: shown, nextCursor }
}

export function detailsDraftOf({ details }: Partial<ShownPet>): DetailsDraft {
  return {
    price: details?.price ? `${details.price.amount} ${details.price.currency}` : '',
    bornOn: details?.bornOn ?? '',
    sex: details?.sex,
    tags: details?.tags?.join(' ') ?? '',
    description: details?.description ?? '',
  }
}

/** The members of a request; null for those that are to be gone. */
export function detailsBodyOf({
  price,
  bornOn,
  sex,
  tags,
  description,
}: DetailsDraft): DetailsBody {
  const words = tags.split(/\s+/).filter(Boolean)
  return {
    price: priceIn(price),
    bornOn: bornOn || null,
    sex: sex ?? null,
    tags: words.length === 0 ? null : words,
    description: description || null,
  }
}

function priceIn(text: string): NewPetDetails['price'] | null {
  const [amount = '', currency = ''] = text.trim().split(/\s+/)
  return amount === ''
    ? null
    : ({ amount, currency: currency.toUpperCase() } as NewPetDetails['price'] & object)
}

/** What cannot be sent: a new pet is stored before its details, which must not be refused then. */
export function mistakesInDetails(draft: DetailsDraft): Record<string, string> {
  const { price, tags } = detailsBodyOf(draft)
  const areTags = new Set(tags).size === (tags?.length ?? 0) && (tags ?? []).every(isTag)
  return {
    ...(price &&
      !isPrice(price) && {
        price: 'Price needs its currency, and the digits of that: 249.00 EUR, 24900 JPY',
      }),
    ...(!areTags && { tags: 'Tags are different words of at most 40 characters, without |' }),
  }
}

const isTag = (tag: string) => !tag.includes('|') && Array.from(tag).length <= 40

/** Stores changed members of the details of a pet: what others have changed meanwhile stays. */
export async function saveDetails(id: Int64, change: Partial<DetailsBody>): Promise<void> {
  const { data, etag } = await client.pets.details.list({ petId: id })
  const [{ petId: _, ...before } = { petId: id }] = data
  const members = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null)
  const isNew = data.length === 0
  if (members.length > 0)
    await client.pets.details.put(
      id,
      Object.fromEntries(members),
      isNew ? { ifNoneMatch: '*' } : { ifMatch: etag },
    )
  else if (!isNew) await client.pets.details.delete(id, { ifMatch: etag })
}
