import { formatCount } from '../base/format.ts'
import { PetStatusBadge } from '../pets/pet-status-badge.tsx'
import classes from '../table/cells.module.css'
import { idColumn, PetLink } from '../table/cells.tsx'
import type { RecordColumn } from '../table/columns.ts'
import { actionsColumn } from '../table/record-actions.tsx'
import type { Stock } from './stock-list.ts'

export const stockColumns: readonly RecordColumn<Stock>[] = [
  idColumn('pet', 'Pet'),
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(8rem, 3fr)',
    phone: 'title',
    cell: ({ record: { id, petName } }) => <PetLink id={id} name={petName} />,
  },
  {
    id: 'quantity',
    header: 'In stock',
    width: '6rem',
    phone: 'detail',
    cell: ({ record: { quantity }, mark }) =>
      mark === 'gone' ? (
        <span className={classes.quiet}>Withdrawn</span>
      ) : (
        <span className={classes.number} data-none={quantity === 0 || undefined}>
          {formatCount(quantity)}
          <span className={classes.onPhone}> in stock</span>
        </span>
      ),
  },
  {
    id: 'status',
    header: 'Status',
    width: '8.5rem',
    phone: 'aside',
    cell: ({ record }) => <PetStatusBadge status={record.status} />,
  },
  actionsColumn('3rem'),
]

/** For a key that may not read pets, and so no names. */
export const namelessStockColumns: readonly RecordColumn<Stock>[] = stockColumns
  .filter(({ id }) => id !== 'name')
  .map((column) => (column.id === 'id' ? { ...column, width: '1fr', phone: 'title' } : column))
