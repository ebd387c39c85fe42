import { Link } from '@tanstack/react-router'
import type { Category } from '../../../client/src/generated/records.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'
import { idColumn, UnlessWaiting } from '../table/cells.tsx'
import type { RecordColumn } from '../table/columns.ts'
import { actionsColumn } from '../table/record-actions.tsx'

export const categoryColumns: readonly RecordColumn<Category>[] = [
  idColumn('category', 'Id'),
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(8rem, 1fr)',
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
    width: 'minmax(8rem, 2fr)',
    phone: 'detail',
    cell: ({ record }) => <UserText text={record.description ?? ''} />,
  },
  {
    id: 'pets',
    header: 'Pets',
    width: '4rem',
    phone: 'aside',
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
  actionsColumn('4.75rem'),
]
