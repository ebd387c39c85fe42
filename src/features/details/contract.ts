import { isDate } from '../../contract/instant.ts'
import { member } from '../../contract/member.ts'
import { Amount, Currency, priceOf } from '../../contract/price.ts'
import { defineRecord } from '../../contract/record.ts'
import { operationsOn } from '../../contract/record-operations.ts'
import { assignedId, date, filterBy, idsFilter, lines, oneOf } from '../../contract/schemas.ts'
import { animalsTag } from '../../contract/tags.ts'
import * as Type from '../../contract/type.ts'

const percy = {
  description: 'Came to us when the owner moved.',
  price: { amount: '650.00', currency: 'EUR' },
  bornOn: '2024-11-20',
  sex: 'male',
  tags: ['beginners'],
}

const tagsMax = 20

/** A word of at most 40 code points: no white space, no control character, no `|`, which separates tags in spreadsheets. */
const Tag = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^[^\\s|\\x00-\\x1F\\x7F-\\x9F]+$',
  wellFormed: true,
  allowed: 'a string of 1 to 40 characters, none of them white space, | or a lone surrogate',
})

function areTags(tags: unknown): boolean {
  const words = tags as string[]
  return new Set(words).size === words.length && !words.some((word) => /[\s|]/.test(word))
}

export const details = defineRecord({
  noun: 'details',
  plural: 'details',
  partOf: { record: 'pet', path: '/pets' },
  description: 'What a store tells about a pet besides the members of the pet itself.',
  members: {
    petId: member(assignedId(24, 'The identifier of the pet.'), { column: 'id' }),
    description: Type.Optional(
      lines({ max: 5_000, description: 'The pet in words.', examples: [percy.description] }),
    ),
    price: Type.Optional(priceOf('What one costs.')),
    bornOn: Type.Optional(
      member(date('When the pet was born: a day after today at most.', percy.bornOn), {
        isSound: isDate,
      }),
    ),
    sex: Type.Optional(
      oneOf(['female', 'male'], {
        description: 'The sex of the pet.',
        examples: [percy.sex as 'male'],
      }),
    ),
    tags: Type.Optional(
      member(
        Type.Array(Tag, {
          minItems: 1,
          maxItems: tagsMax,
          uniqueItems: true,
          description: 'Words by which the pet is found.',
          allowed: `an array of 1 to ${tagsMax} different tags`,
          examples: [percy.tags],
        }),
        { isSound: areTags },
      ),
    ),
  },
  examples: { record: { petId: 24, ...percy }, new: percy, changes: [] },
})
export type Details = Type.Static<typeof details.Item>
export type NewDetails = Type.Static<typeof details.New>

const { description, bornOn, sex, tags } = details.Item.properties

/** The columns of details in a spreadsheet of pets. */
export const detailsColumns = {
  description,
  price: Type.Optional(member(Amount, { column: 'price_amount' })),
  currency: Type.Optional(member(Currency, { column: 'price_currency' })),
  ...{ bornOn, sex, tags },
}

const sent = Type.Unsafe<NewDetails>({
  ...(details.New as object),
  minProperties: 1,
  description: 'The details of a pet, at least one of them. Unknown members are ignored.',
  allowed: 'a JSON object with at least one of description, price, bornOn, sex and tags',
})

const detailsFilter = Type.Partial({
  petId: idsFilter('details of pets'),
  tag: filterBy(
    { ...Tag, examples: ['beginners'], allowed: 'a tag, sent once' },
    'Only details that have this tag.',
  ),
  currency: filterBy(Currency, 'Only details whose price is in this currency.'),
})
export type DetailsFilter = Type.Static<typeof detailsFilter>

const ofPets = operationsOn({
  ...details.kind,
  tag: animalsTag,
  lifecycle: { stability: 'beta' },
  read: 'pets:read',
  write: 'pets:write',
  taggedBy: 'petId',
})

const usesOfDetails = [
  ofPets.link('replaceDetails', 'Replace these details.'),
  ofPets.link('deleteDetails', 'Delete these details.'),
]

export const listDetailsOperation = ofPets.list({
  summary: 'List the details of animals',
  description: 'Returns a page of the details of pets in ascending order of pet ids.',
  query: detailsFilter,
  examples: {
    name: 'beginners',
    summary: 'The details of a pet for beginners with a price in euros',
    query: { petId: [24, 25], tag: 'beginners', currency: 'EUR' },
    response: [{ petId: 24, ...percy }],
  },
})

export const getDetailsOperation = ofPets.get({
  exampleId: 24,
  summary: "Get an animal's details",
  description: 'Returns what the store tells about a pet.',
  examples: { name: 'percy', summary: 'The details of a cat', response: { petId: 24, ...percy } },
  links: usesOfDetails,
})

export const replaceDetailsOperation = ofPets.replace({
  exampleId: 24,
  summary: "Store an animal's details",
  description:
    'Stores what the store tells about a pet in place of what it has told so far: members that are left out are gone. Orders keep the price of their moment.',
  body: sent,
  examples: {
    name: 'percy',
    summary: 'The details of a cat',
    body: percy,
    response: { petId: 24, ...percy },
  },
  links: [ofPets.link('getDetails', 'Get these details.'), ...usesOfDetails],
})

export const deleteDetailsOperation = ofPets.delete({
  exampleId: 25,
  summary: "Delete an animal's details",
  description: 'Removes all details of a pet. The pet stays.',
  examples: { name: 'dog', summary: 'The details of a dog' },
})
