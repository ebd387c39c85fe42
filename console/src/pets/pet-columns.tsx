import { ActionIcon } from '@mantine/core'
import type { Pet } from '../../../client/src/generated/records.ts'
import type { Categories } from '../api/categories.ts'
import { Icon } from '../shared/icon.tsx'
import { IdText } from '../shared/id-text.tsx'
import { UserText } from '../shared/user-text.tsx'
import { type Columns, columnsOf } from '../table/columns.ts'
import { CategoryName } from './category-name.tsx'
import { PetState } from './pet-state.tsx'
import classes from './pets-page.module.css'

const column = columnsOf<Pet>()

type Actions = {
  edit(pet: Pet): void
  withdraw(pet: Pet): void
  order(pet: Pet): void
  canWrite: boolean
  canOrder: boolean
}

/** The columns of the pets, with what can be done to each. */
export function petColumns(
  categories: Categories,
  { edit, withdraw, order, canWrite, canOrder }: Actions,
): Columns<Pet> {
  return column.columns([
    column.display({
      id: 'id',
      header: 'Id',
      cell: ({ row }) => <IdText id={row.original.record.id} of="pet" isInGrid />,
    }),
    column.display({
      id: 'name',
      header: 'Name',
      cell: ({ row }) => <UserText text={row.original.record.name} />,
    }),
    column.display({
      id: 'category',
      header: 'Category',
      cell: ({ row }) => (
        <CategoryName id={row.original.record.categoryId} categories={categories} />
      ),
    }),
    column.display({
      id: 'status',
      header: 'Status',
      cell: ({ row }) => <PetState row={row.original} />,
    }),
    column.display({
      id: 'actions',
      header: () => <span className={classes.unseen}>Actions</span>,
      cell: ({ row }) => {
        const { record, mark } = row.original
        if (mark === 'gone') return null
        return (
          <span className={classes.actions}>
            {canOrder && record.status === 'available' && (
              <ActionIcon
                variant="subtle"
                color="gray"
                tabIndex={-1}
                aria-label={`Order pet ${record.id}`}
                title="Order (o)"
                onClick={() => order(record)}
              >
                <Icon name="cart" />
              </ActionIcon>
            )}
            {canWrite && (
              <>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  tabIndex={-1}
                  aria-label={`Edit pet ${record.id}`}
                  title="Edit (Enter)"
                  onClick={() => edit(record)}
                >
                  <Icon name="edit" />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  tabIndex={-1}
                  aria-label={`Withdraw pet ${record.id}`}
                  title="Withdraw (Del)"
                  onClick={() => withdraw(record)}
                >
                  <Icon name="trash" />
                </ActionIcon>
              </>
            )}
          </span>
        )
      },
    }),
  ]) as Columns<Pet>
}
