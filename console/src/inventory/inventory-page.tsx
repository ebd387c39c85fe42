import { useHasScope } from '../api/session.ts'
import { formatCount } from '../base/format.ts'
import { useAddress } from '../filters/use-address.ts'
import { PetFilter } from '../pets/pet-filter.tsx'
import { PetStatusBadge, PetStatusFilter } from '../pets/pet-status.tsx'
import classes from '../table/cells.module.css'
import { idColumn, PetName } from '../table/cells.tsx'
import { type RecordColumn, wide } from '../table/columns.ts'
import { actionsColumn } from '../table/record-actions.tsx'
import { RecordPage } from '../table/record-page.tsx'
import { StockForm } from './stock-form.tsx'
import { type Stock, type StockSearch, useStockList } from './stock-list.ts'

const setStock = {
  label: 'Set the stock',
  phrase: 'Set the stock of',
  icon: 'edit',
  shortcut: 'e',
} as const

const columns: readonly RecordColumn<Stock>[] = [
  idColumn('Pet'),
  {
    id: 'name',
    header: 'Name',
    width: wide,
    phone: 'title',
    cell: ({ record: { id, petName } }) => <PetName id={id} name={petName} />,
  },
  {
    id: 'quantity',
    header: 'Stock',
    phone: 'detail',
    cell: ({ record: { quantity }, mark }) =>
      mark === 'gone' ? (
        <span className={classes.quiet}>Withdrawn</span>
      ) : (
        <span className={classes.number} data-none={quantity === 0 || undefined}>
          {formatCount(quantity)} in stock
        </span>
      ),
  },
  {
    id: 'status',
    header: 'Status',
    phone: 'aside',
    cell: ({ record }) => <PetStatusBadge status={record.status} />,
  },
  actionsColumn(),
]

/** Shows and sets how many of each pet are in stock. */
export function InventoryPage() {
  const [search] = useAddress<StockSearch>()
  return (
    <RecordPage<Stock>
      kind="pet"
      about="Units on hand of each pet with a status"
      list={useStockList(search)}
      columns={columns}
      filters={
        <>
          <PetStatusFilter />
          <PetFilter name="at" />
        </>
      }
      empty={{
        title: 'The inventory is empty',
        text: 'A pet is listed here once it has a status.',
        icon: 'box',
      }}
      noMatch={{
        filters: ['status'],
        text: 'Remove the filter.',
        all: 'the whole inventory',
      }}
      open={useHasScope('inventory:write') ? setStock : undefined}
      detail={(stock, opened) => stock && <StockForm stock={stock} {...opened} />}
    />
  )
}
