import { defineOperation, type OperationLink, returnedId } from '../../contract/operation.ts'
import { int64, namePrefix, pageOf, removableText, text } from '../../contract/schemas.ts'
import { animalsTag } from '../../contract/tags.ts'
import * as Type from '../../contract/type.ts'

const nameMax = 100
const descriptionMax = 2_000

const cats = {
  id: 2,
  name: 'Cats',
  description: 'House cats and pedigree cats, neutered, used to people.',
}
const geckos = { id: 22, name: 'Geckos', description: 'Bred here, with papers.' }
const goldfish = {
  id: 20,
  name: 'Goldfish',
  description: 'For cool water, and never for a bowl.',
}
const newName = { name: 'Goldfish and carp' }
const newSnails = { name: 'Snails', description: 'Giant African land snails, bred here.' }

const name = text({
  max: nameMax,
  description: 'The name of the category, unique; case is ignored.',
  examples: [cats.name],
})
const descriptionText = {
  max: descriptionMax,
  description: 'Which pets belong to the category.',
  examples: [cats.description],
}
const description = Type.Optional(text(descriptionText))

const NewCategory = Type.Object(
  { name, description },
  {
    $id: 'NewCategory',
    description: 'A category to add. Unknown members are ignored.',
    allowed: 'a JSON object with name',
    examples: [newSnails],
  },
)
export type NewCategory = Type.Static<typeof NewCategory>

const CategoryChange = Type.Object(
  {
    name: Type.Optional(name),
    description: Type.Optional(removableText(descriptionText)),
  },
  {
    $id: 'CategoryChange',
    description: 'Fields to change; omitted fields keep their value. Unknown members are ignored.',
    allowed: 'a JSON object with name or description',
    examples: [newName, { description: null }],
  },
)
export type CategoryChange = Type.Static<typeof CategoryChange>

export const Category = Type.Object(
  {
    id: int64({
      description: 'Unique identifier assigned by the service.',
      minimum: 1,
      examples: [cats.id],
    }),
    name,
    description,
  },
  {
    $id: 'Category',
    description:
      'A category of pets. The `categoryId` of a pet need not be that of an existing category.',
    examples: [cats],
  },
)
export type Category = Type.Static<typeof Category>

const Categories = pageOf(Category, {
  $id: 'Categories',
  description: 'A page of categories.',
  examples: [[cats, geckos]],
})

const categoriesFilter = Type.Object({
  id: Type.Optional(
    Type.Array(int64({}), {
      maxItems: 100,
      description: 'Only categories with one of these ids; repeat it for several.',
      allowed: 'given at most 100 times',
    }),
  ),
  name: Type.Optional(namePrefix('Only categories whose name begins with this; case is ignored.')),
})
export type CategoriesFilter = Type.Static<typeof categoriesFilter>

const categoryId = (example: number) => ({
  name: 'categoryId',
  record: 'category',
  description: 'The identifier of the category.',
  example,
})

const link = (operationId: string, description: string): OperationLink => ({
  operationId,
  description,
  parameters: { categoryId: returnedId },
})
const usesOfCategory = [
  link('listPets', 'List the pets of this category.'),
  link('updateCategory', 'Update this category.'),
  link('deleteCategory', 'Delete this category.'),
]

export const listCategoriesOperation = defineOperation({
  operationId: 'listCategories',
  method: 'GET',
  path: '/categories',
  client: 'categories.list',
  tag: animalsTag,
  summary: 'List all categories',
  description: 'Returns a page of categories in ascending order of ids.',
  scope: 'pets:read',
  lifecycle: { stability: 'stable' },
  query: categoriesFilter,
  entityTagFilter: 'id',
  condition: 'If-None-Match',
  returns: 'page',
  item: Category,
  list: Categories,
  errors: [],
  examples: {
    name: 'geckos',
    summary: 'A category whose name begins with "gec"',
    query: { id: [22, 23], name: 'gec' },
    response: [geckos],
  },
})

export const getCategoryOperation = defineOperation({
  operationId: 'getCategory',
  method: 'GET',
  path: '/categories/{categoryId}',
  client: 'categories.get',
  pathParameters: [categoryId(2)],
  tag: animalsTag,
  summary: 'Get a category',
  description: 'Returns one category.',
  scope: 'pets:read',
  lifecycle: { stability: 'stable' },
  returns: 'record',
  item: Category,
  hasEntityTag: true,
  condition: 'If-None-Match',
  errors: ['not_found'],
  examples: { name: 'cats', summary: 'The category of cats', response: cats },
  links: usesOfCategory,
})

export const createCategoryOperation = defineOperation({
  operationId: 'createCategory',
  method: 'POST',
  path: '/categories',
  client: 'categories.create',
  idempotency: 'replayed',
  tag: animalsTag,
  summary: 'Add a category',
  description: 'Adds a category. The response is sent once the category is durable.',
  scope: 'pets:write',
  lifecycle: { stability: 'stable' },
  body: NewCategory,
  returns: 'created',
  item: Category,
  hasEntityTag: true,
  errors: ['category_exists'],
  examples: {
    name: 'snails',
    summary: 'A category of snails',
    body: newSnails,
    response: { id: 31, ...newSnails },
  },
  links: [link('getCategory', 'Get this category.'), ...usesOfCategory],
})

export const updateCategoryOperation = defineOperation({
  operationId: 'updateCategory',
  method: 'PATCH',
  path: '/categories/{categoryId}',
  client: 'categories.update',
  pathParameters: [categoryId(goldfish.id)],
  tag: animalsTag,
  summary: 'Update a category',
  description:
    'Changes the fields that are sent. The name must differ from those of all other categories; case is ignored.',
  scope: 'pets:write',
  lifecycle: { stability: 'stable' },
  body: CategoryChange,
  returns: 'record',
  item: Category,
  hasEntityTag: true,
  condition: 'If-Match',
  errors: ['not_found', 'precondition_failed', 'category_exists'],
  examples: {
    name: 'goldfish',
    summary: 'Another name for the category of goldfish',
    body: newName,
    response: { ...goldfish, ...newName },
  },
})

export const deleteCategoryOperation = defineOperation({
  operationId: 'deleteCategory',
  method: 'DELETE',
  path: '/categories/{categoryId}',
  client: 'categories.delete',
  pathParameters: [categoryId(27)],
  tag: animalsTag,
  summary: 'Delete a category',
  description:
    'Removes a category. Pets keep its id as their `categoryId`. The id is never reused; the name can be.',
  scope: 'pets:write',
  lifecycle: { stability: 'stable' },
  returns: 'nothing',
  item: Category,
  condition: 'If-Match',
  errors: ['not_found', 'precondition_failed', 'body_too_large'],
  examples: { name: 'axolotls', summary: 'A category that no pet has' },
})
