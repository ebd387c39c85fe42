import Type from 'typebox'
import { defineOperation } from '../http/operation.ts'
import { int64 } from '../http/schema.ts'
import { namePrefix, text } from '../http/text.ts'

const nameMax = 100
const descriptionMax = 2_000

const name = text({
  max: nameMax,
  description: 'The name of the category. No two categories have names that differ in case alone.',
})
const description = Type.Optional(
  text({ max: descriptionMax, description: 'What belongs into it.' }),
)

const NewCategory = Type.Object(
  { name, description },
  {
    $id: 'NewCategory',
    description: 'A category to add. Unknown members are ignored.',
    allowed: 'a JSON object with name',
  },
)
export type NewCategory = Type.Static<typeof NewCategory>

const Category = Type.Object(
  {
    id: int64({ description: 'Unique identifier assigned by the service.', minimum: 1 }),
    name,
    description,
  },
  {
    $id: 'Category',
    additionalProperties: false,
    description: 'A category of animals. The `categoryId` of an animal need not be that of one.',
  },
)
export type Category = Type.Static<typeof Category>

const categoriesFilter = Type.Object({
  id: Type.Optional(
    Type.Array(int64({}), {
      maxItems: 100,
      description: 'Only categories with one of these ids; repeat it for several.',
      allowed: 'given at most 100 times',
    }),
  ),
  name: Type.Optional(
    namePrefix('Only categories whose name begins with this, whatever its case.'),
  ),
})
export type CategoriesFilter = Type.Static<typeof categoriesFilter>

const example = { id: 1, name: 'Dogs', description: 'Large and small.' }

export const listCategoriesOperation = defineOperation({
  operationId: 'listCategories',
  method: 'GET',
  path: '/categories',
  tag: 'animals',
  summary: 'List all categories',
  description:
    'A page of categories in ascending order of their ids. Follow the `next` link for more.',
  scope: 'pets:read',
  lifecycle: { stability: 'beta' },
  query: categoriesFilter,
  answers: 'page',
  item: Category,
  errors: [],
  examples: { query: { name: 'Do' }, item: [example] },
})

export const getCategoryOperation = defineOperation({
  operationId: 'getCategory',
  method: 'GET',
  path: '/categories/{categoryId}',
  pathParameter: {
    name: 'categoryId',
    record: 'category',
    description: 'The identifier of the category.',
  },
  tag: 'animals',
  summary: 'Get a category',
  description: 'One category by its id.',
  scope: 'pets:read',
  lifecycle: { stability: 'beta' },
  answers: 'record',
  item: Category,
  errors: ['not_found'],
  examples: { item: example },
})

export const createCategoryOperation = defineOperation({
  operationId: 'createCategory',
  method: 'POST',
  path: '/categories',
  tag: 'animals',
  summary: 'Add a category',
  description: 'Adds a category. Answered only once it is durable.',
  scope: 'pets:write',
  lifecycle: { stability: 'beta' },
  body: NewCategory,
  answers: 'created',
  item: Category,
  errors: ['category_exists'],
  examples: { body: { name: 'Dogs', description: 'Large and small.' }, item: example },
})
