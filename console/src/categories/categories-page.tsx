import { Link } from '@tanstack/react-router'
import type { Category } from '../../../client/src/index.ts'
import { namePrefixMax } from '../../../src/contract/text-rules.ts'
import { client, reader } from '../api/client.ts'
import { useHasScope } from '../api/session.ts'
import { NameHead } from '../filters/sort-button.tsx'
import { TextFilter } from '../filters/text-filter.tsx'
import { useAddress } from '../filters/use-address.ts'
import { delay } from '../shared/delayed-actions.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'
import { idColumn, UnlessWaiting } from '../table/cells.tsx'
import { type RecordColumn, wide } from '../table/columns.ts'
import { actionsColumn, edit, type RecordAction } from '../table/record-actions.tsx'
import { RecordPage } from '../table/record-page.tsx'
import type { Order } from '../table/record-window.ts'
import { useRecordList } from '../table/use-record-list.ts'
import { CategoryForm, fetchCategory } from './category-form.tsx'

const columns: readonly RecordColumn<Category>[] = [
  idColumn('Id'),
  {
    id: 'name',
    header: 'Name',
    headCell: <NameHead />,
    phone: 'title',
    cell: ({ record: { id, name }, mark }) => (
      <>
        <UserText text={name} />{' '}
        {mark === 'gone' ? (
          '(deleted)'
        ) : (
          <UnlessWaiting action={`category ${id}`}>{null}</UnlessWaiting>
        )}
      </>
    ),
  },
  {
    id: 'description',
    header: 'Description',
    width: wide,
    phone: 'detail',
    cell: ({ record }) => <UserText text={record.description ?? ''} />,
  },
  {
    id: 'pets',
    header: 'Pets',
    phone: 'side',
    cell: ({ record: { id } }) => (
      <Link
        to="/pets"
        search={{ category: String(id) }}
        tabIndex={-1}
        className={classes.accent}
        aria-label={`Show pets of category ${id}`}
        onClick={(event) => event.stopPropagation()}
      >
        Show
      </Link>
    ),
  },
  actionsColumn(),
]

const actions: readonly RecordAction<Category>[] = [
  {
    label: 'Delete',
    icon: 'trash',
    shortcut: 'Delete',
    scope: 'pets:write',
    run: (category, { markGone }) => deleteCategory(category, () => markGone(category.id)),
  },
]

type CategorySearch = { name?: string; sort?: Order }

/** Finds, adds, edits and deletes categories. */
export function CategoriesPage() {
  const [{ name, sort = 'id' }] = useAddress<CategorySearch>()
  const list = useRecordList<Category>({
    key: ['categories', name],
    kinds: ['category'],
    order: sort,
    filter: { name },
    fetch: (query, options) => reader.categories.list(query, options),
  })
  const canWrite = useHasScope('pets:write')
  return (
    <RecordPage<Category>
      kind="category"
      list={list}
      columns={columns}
      filters={
        <TextFilter name="name" label="Name begins with" isSearch lengthMax={namePrefixMax} />
      }
      empty={{
        title: 'There are no categories yet',
        text: 'A category groups pets. A pet may also have a category number that is not listed here.',
        icon: 'tag',
      }}
      noMatch={{
        filters: ['name'],
        text: 'Try another name.',
      }}
      add={canWrite ? 'Add' : undefined}
      open={canWrite ? edit : undefined}
      actions={actions}
      detail={(category, opened) => <CategoryForm category={category} {...opened} />}
    />
  )
}

/** Deletes a category after some seconds in which it can be undone, and only as it was when it was chosen. */
function deleteCategory({ id, name }: Category, done: () => void): void {
  const version = fetchCategory(id)
  // `send` reports the failure.
  version.catch(() => undefined)
  delay({
    id: `category ${id}`,
    verb: 'Deleting',
    name,
    done: `Category ${id} was deleted. Its pets keep the category number.`,
    async send() {
      await client.categories.delete(id, { ifMatch: (await version).etag })
      done()
    },
  })
}
