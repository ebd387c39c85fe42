import { formatPrice } from '../base/format.ts'
import { CategoryName } from '../categories/category-name.tsx'
import { NameHead } from '../filters/sort-button.tsx'
import classes from '../table/cells.module.css'
import { idColumn, UnlessWaiting } from '../table/cells.tsx'
import { choiceColumn } from '../table/choice.tsx'
import { type RecordColumn, wide } from '../table/columns.ts'
import { actionsColumn } from '../table/record-actions.tsx'
import type { ShownPet } from './pet-details.ts'
import { PetStatusBadge } from './pet-status.tsx'
import { NameWithPhoto } from './photo/thumbnail.tsx'

export const petColumns: readonly RecordColumn<ShownPet>[] = [
  choiceColumn(),
  idColumn('Id'),
  {
    id: 'name',
    header: 'Name',
    headCell: <NameHead />,
    width: wide,
    phone: 'title',
    cell: ({ record }) => <NameWithPhoto pet={record} />,
  },
  {
    id: 'category',
    header: 'Category',
    phone: 'detail',
    cell: ({ record }) => <CategoryName id={record.categoryId} />,
  },
  {
    id: 'price',
    header: 'Price',
    isOptional: true,
    cell: ({ record: { details } }) => details?.price && formatPrice(details.price),
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
