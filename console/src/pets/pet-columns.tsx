import type { Pet } from '../../../client/src/index.ts'
import { CategoryName } from '../categories/category-name.tsx'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'
import { idColumn, UnlessWaiting } from '../table/cells.tsx'
import { choiceColumn } from '../table/choice.tsx'
import { type RecordColumn, wide } from '../table/columns.ts'
import { actionsColumn } from '../table/record-actions.tsx'
import { PetStatusBadge } from './pet-status.tsx'

export const petColumns: readonly RecordColumn<Pet>[] = [
  choiceColumn(),
  idColumn('Id'),
  {
    id: 'name',
    header: 'Name',
    width: wide,
    phone: 'title',
    cell: ({ record }) => <UserText text={record.name} />,
  },
  {
    id: 'category',
    header: 'Category',
    phone: 'detail',
    cell: ({ record }) => <CategoryName id={record.categoryId} />,
  },
  {
    id: 'status',
    header: 'Status',
    phone: 'aside',
    cell: ({ record, mark }) =>
      mark === 'gone' ? (
        <span className={classes.quiet}>Withdrawn</span>
      ) : (
        <UnlessWaiting action={`pet ${record.id}`}>
          <PetStatusBadge status={record.status} />
        </UnlessWaiting>
      ),
  },
  actionsColumn(),
]
