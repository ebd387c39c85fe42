import { operationsOn } from '../../contract/record-operations.ts'
import {
  assignedId,
  bodyOf,
  changeOf,
  idsFilter,
  namePrefix,
  objectOf,
  pageOf,
  removableText,
  sortByName,
  text,
} from '../../contract/schemas.ts'
import { animalsTag } from '../../contract/tags.ts'
import * as Type from '../../contract/type.ts'

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

export const categoryName = text({
  max: 100,
  description:
    'The name of the category. No two look alike: case, repeated spaces, invisible characters and compatibility forms (NFKC) do not count.',
  examples: [cats.name],
})
const descriptionText = {
  max: 2_000,
  description: 'Which pets belong to the category.',
  examples: [cats.description],
}
const description = Type.Optional(text(descriptionText))

const NewCategory = bodyOf(
  'NewCategory',
  { name: categoryName, description },
  'A category to add.',
  newSnails,
)
export type NewCategory = Type.Static<typeof NewCategory>

const CategoryChange = changeOf(
  'CategoryChange',
  { name: categoryName, description: removableText(descriptionText) },
  newName,
  { description: null },
)
export type CategoryChange = Type.Static<typeof CategoryChange>

export const Category = objectOf(
  'Category',
  { id: assignedId(cats.id), name: categoryName, description },
  'A category of pets. The `categoryId` of a pet need not be that of an existing category.',
  cats,
)
export type Category = Type.Static<typeof Category>

const categoriesFilter = Type.Partial({
  id: idsFilter('categories'),
  name: namePrefix('Only categories whose name begins with this; case is ignored.'),
})
export type CategoriesFilter = Type.Static<typeof categoriesFilter>

const categories = operationsOn({
  record: 'category',
  path: '/categories',
  client: 'categories',
  tag: animalsTag,
  lifecycle: { stability: 'stable' },
  read: 'pets:read',
  write: 'pets:write',
  item: Category,
  taggedBy: 'id',
})

const usesOfCategory = [
  categories.link('listPets', 'List the pets of this category.'),
  categories.link('updateCategory', 'Update this category.'),
  categories.link('deleteCategory', 'Delete this category.'),
]

export const listCategoriesOperation = categories.list({
  operationId: 'listCategories',
  summary: 'List all categories',
  description: 'Returns a page of categories in ascending order of ids, or in that of `sort`.',
  query: Type.Partial({ ...categoriesFilter.properties, sort: sortByName }),
  list: pageOf('Categories', Category, [cats, geckos]),
  examples: {
    name: 'geckos',
    summary: 'A category whose name begins with "gec"',
    query: { id: [22, 23], name: 'gec' },
    response: [geckos],
  },
})

export const getCategoryOperation = categories.get({
  operationId: 'getCategory',
  exampleId: 2,
  summary: 'Get a category',
  description: 'Returns one category.',
  examples: { name: 'cats', summary: 'The category of cats', response: cats },
  links: usesOfCategory,
})

export const createCategoryOperation = categories.create({
  operationId: 'createCategory',
  summary: 'Add a category',
  description: 'Adds a category. The response is sent once the category is durable.',
  body: NewCategory,
  errors: ['category_exists'],
  examples: {
    name: 'snails',
    summary: 'A category of snails',
    body: newSnails,
    response: { id: 31, ...newSnails },
  },
  links: [categories.link('getCategory', 'Get this category.'), ...usesOfCategory],
})

export const updateCategoryOperation = categories.update({
  operationId: 'updateCategory',
  exampleId: goldfish.id,
  summary: 'Update a category',
  description:
    'Changes the fields that are sent. The name must not look like that of another category.',
  body: CategoryChange,
  errors: ['category_exists'],
  examples: {
    name: 'goldfish',
    summary: 'Another name for the category of goldfish',
    body: newName,
    response: { ...goldfish, ...newName },
  },
})

export const deleteCategoryOperation = categories.delete({
  operationId: 'deleteCategory',
  exampleId: 27,
  summary: 'Delete a category',
  description:
    'Removes a category. Pets keep its id as their `categoryId`. The id is never reused; the name can be.',
  examples: { name: 'axolotls', summary: 'A category that no pet has' },
})
