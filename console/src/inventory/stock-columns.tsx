import { ActionIcon } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { PetStatusBadge } from '../pets/pet-status-badge.tsx'
import { Icon } from '../shared/icon.tsx'
import { IdText } from '../shared/id-text.tsx'
import { count } from '../shared/numbers.ts'
import { UserText } from '../shared/user-text.tsx'
import { type Columns, columnsOf } from '../table/columns.ts'
import classes from './inventory-page.module.css'
import type { Stock } from './use-inventory.ts'

const column = columnsOf<Stock>()

type Actions = { edit(stock: Stock): void; canWrite: boolean; canReadPets: boolean }

/** The columns of the inventory, with what can be done to each row. */
export function stockColumns({ edit, canWrite, canReadPets }: Actions): Columns<Stock> {
  return column.columns([
    column.display({
      id: 'id',
      header: 'Pet',
      cell: ({ row }) => <IdText id={row.original.record.id} of="pet" isInGrid />,
    }),
    column.display({
      id: 'name',
      header: 'Name',
      cell: ({ row }) => {
        const { id, name } = row.original.record
        if (name === undefined || !canReadPets) return null
        return (
          <Link to="/pets" search={{ at: String(id) }} tabIndex={-1} className={classes.link}>
            <UserText text={name} />
          </Link>
        )
      },
    }),
    column.display({
      id: 'quantity',
      header: 'In stock',
      cell: ({ row }) => {
        const { record, mark } = row.original
        return mark === 'gone' ? (
          <span className={classes.gone}>Withdrawn</span>
        ) : (
          <span className={classes.quantity} data-none={record.quantity === 0 || undefined}>
            {count(record.quantity)}
            <span className={classes.unit}> in stock</span>
          </span>
        )
      },
    }),
    column.display({
      id: 'status',
      header: 'Status',
      cell: ({ row }) => <PetStatusBadge status={row.original.record.status} />,
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
              aria-label={`Set the stock of pet ${record.id}`}
              title="Set the stock (Enter)"
              onClick={() => edit(record)}
            >
              <Icon name="edit" />
            </ActionIcon>
          </span>
        )
      },
    }),
  ]) as Columns<Stock>
}
