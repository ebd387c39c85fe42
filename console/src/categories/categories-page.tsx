import type { Category } from '../../../client/src/generated/records.ts'
import { namePrefixMax } from '../../../src/contract/text-rules.ts'
import { useHasScope } from '../api/session.ts'
import { Filters } from '../filters/filters.tsx'
import { JumpToId } from '../filters/jump-to-id.tsx'
import { NameFilter } from '../filters/name-filter.tsx'
import { RecordPage } from '../table/record-page.tsx'
import { useAddress } from '../table/use-address.ts'
import { useCategoryActions } from './category-actions.ts'
import { categoryColumns } from './category-columns.tsx'
import { CategoryForm } from './category-form.tsx'
import { useCategoryList } from './category-list.ts'
import { readCategorySearch } from './category-search.ts'

const add = { label: 'Add a category', first: 'Add the first category' }
const edit = { label: 'Edit', icon: 'edit', shortcut: 'e' } as const

/** Finds, adds, edits and deletes categories. */
export default function CategoriesPage() {
  const [search, setSearch] = useAddress(readCategorySearch)
  const list = useCategoryList(search)
  const actions = useCategoryActions(list)
  const canWrite = useHasScope('pets:write')
  return (
    <RecordPage<Category>
      kind="category"
      list={list}
      at={search.at}
      columns={categoryColumns}
      filters={
        <Filters>
          <NameFilter
            of="categories"
            label="Name begins with"
            max={namePrefixMax}
            name={search.name ?? ''}
            setName={(name) => setSearch({ name })}
          />
          <JumpToId group="Categories" jump={(id) => setSearch({ at: String(id) })} />
        </Filters>
      }
      empty={{
        title: 'There are no categories yet',
        text: 'A category groups pets. A pet may also have a category number that is not listed here.',
        icon: 'tag',
      }}
      noMatch={
        search.name === undefined
          ? undefined
          : {
              title: 'No category matches',
              text: 'Try another name.',
              showAll: 'Show all categories',
              clear: () => setSearch({ name: undefined }),
            }
      }
      add={canWrite ? add : undefined}
      open={canWrite ? edit : undefined}
      actions={actions}
      goTo={(id) => setSearch({ name: undefined, at: String(id) })}
      detail={(category, opened) => <CategoryForm category={category} {...opened} />}
    />
  )
}
