import { ActionIcon } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Category } from '../../../client/src/generated/records.ts'
import { delayedActions } from '../shared/delayed-actions.ts'
import { Icon } from '../shared/icon.tsx'
import { IdText } from '../shared/id-text.tsx'
import { useStore } from '../shared/store.ts'
import { UserText } from '../shared/user-text.tsx'
import { type Columns, columnsOf } from '../table/columns.ts'
import type { Row } from '../table/record-window.ts'
import classes from './categories-page.module.css'

const column = columnsOf<Category>()

type Actions = {
  edit(category: Category): void
  remove(category: Category): void
  canWrite: boolean
}

/** The columns of the categories, with what can be done to each. */
export function categoryColumns({ edit, remove, canWrite }: Actions): Columns<Category> {
  return column.columns([
    column.display({
      id: 'id',
      header: 'Id',
      cell: ({ row }) => <IdText id={row.original.record.id} of="category" isInGrid />,
    }),
    column.display({
      id: 'name',
      header: 'Name',
      cell: ({ row }) => <CategoryTitle row={row.original} />,
    }),
    column.display({
      id: 'description',
      header: 'Description',
      cell: ({ row }) => <UserText text={row.original.record.description ?? ''} />,
    }),
    column.display({
      id: 'pets',
      header: 'Pets',
      cell: ({ row }) => (
        <Link
          to="/pets"
          search={{ category: String(row.original.record.id) }}
          tabIndex={-1}
          className={classes.show}
          aria-label={`Show pets of category ${row.original.record.id}`}
        >
          Show
        </Link>
      ),
    }),
    column.display({
      id: 'actions',
      header: () => <span className={classes.unseen}>Actions</span>,
      cell: ({ row }) => {
        const { record, mark } = row.original
        if (!canWrite || mark === 'gone') return null
        return (
          <span className={classes.actions}>
            <ActionIcon
              variant="subtle"
              color="gray"
              tabIndex={-1}
              aria-label={`Edit category ${record.id}`}
              title="Edit (Enter)"
              onClick={() => edit(record)}
            >
              <Icon name="edit" />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              tabIndex={-1}
              aria-label={`Delete category ${record.id}`}
              title="Delete (Del)"
              onClick={() => remove(record)}
            >
              <Icon name="trash" />
            </ActionIcon>
          </span>
        )
      },
    }),
  ]) as Columns<Category>
}

/** The name of a category in the list, or that it is about to leave it. */
function CategoryTitle({ row: { record, mark } }: { row: Row<Category> }) {
  const isLeaving = useStore(delayedActions).some(({ id }) => id === `category ${record.id}`)
  if (mark !== 'gone' && !isLeaving) return <UserText text={record.name} />
  return (
    <span className={classes.gone}>
      <UserText text={record.name} /> {mark === 'gone' ? '(deleted)' : '(deleting …)'}
    </span>
  )
}
