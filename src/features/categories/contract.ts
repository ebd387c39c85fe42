import { defineRecord } from '../../contract/record.ts'
import { operationsOn } from '../../contract/record-operations.ts'
import { assignedId, idsFilter, namePrefix, sortByName, text } from '../../contract/schemas.ts'
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

export const category = defineRecord({
  noun: 'category',
  plural: 'categories',
  description:
    'A category of pets. The `categoryId` of a pet need not be that of an existing category.',
  members: {
    id: assignedId(cats.id),
    name: text({
      max: 100,
      description:
        'The name of the category. No two look alike: case, repeated spaces, invisible characters and compatibility forms (NFKC) do not count.',
      examples: [cats.name],
    }),
    description: Type.Optional(
      text({
        max: 2_000,
        description: 'Which pets belong to the category.',
        examples: [cats.description],
      }),
    ),
  },
  examples: {
    record: cats,
    list: [cats, geckos],
    new: newSnails,
    changes: [newName, { description: null }],
  },
})
export type Category = Type.Static<typeof category.Item>
export type NewCategory = Type.Static<typeof category.New>

const categoriesFilter = Type.Partial({
  id: idsFilter('categories'),
  name: namePrefix('Only categories whose name begins with this; case is ignored.'),
})
export type CategoriesFilter = Type.Static<typeof categoriesFilter>

const categories = operationsOn({
  ...category.kind,
  tag: animalsTag,
  lifecycle: { stability: 'stable' },
  read: 'pets:read',
  write: 'pets:write',
  taggedBy: 'id',
})

const usesOfCategory = [
  categories.link('listPets', 'List the pets of this category.'),
  categories.link('updateCategory', 'Update this category.'),
  categories.link('deleteCategory', 'Delete this category.'),
]

export const listCategoriesOperation = categories.list({
  description: 'Returns a page of categories in ascending order of ids, or in that of `sort`.',
  query: Type.Partial({ ...categoriesFilter.properties, sort: sortByName }),
  examples: {
    name: 'geckos',
    summary: 'A category whose name begins with "gec"',
    query: { id: [22, 23], name: 'gec' },
    response: [geckos],
  },
})

export const getCategoryOperation = categories.get({
  exampleId: 2,
  examples: { name: 'cats', summary: 'The category of cats', response: cats },
  links: usesOfCategory,
})

export const createCategoryOperation = categories.create({
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
  exampleId: goldfish.id,
  description:
    'Changes the fields that are sent. The name must not look like that of another category.',
  errors: ['category_exists'],
  examples: {
    name: 'goldfish',
    summary: 'Another name for the category of goldfish',
    body: newName,
    response: { ...goldfish, ...newName },
  },
})

export const deleteCategoryOperation = categories.delete({
  exampleId: 27,
  description:
    'Removes a category. Pets keep its id as their `categoryId`. The id is never reused; the name can be.',
  examples: { name: 'axolotls', summary: 'A category that no pet has' },
})
