import { orderStatuses } from '../../../src/features/sales/order-status.ts'
import { useHasScope } from '../api/session.ts'
import { ChoiceFilter } from '../filters/choice-filter.tsx'
import { DayFilters } from '../filters/day-filters.tsx'
import { SortButton } from '../filters/sort-button.tsx'
import { TextFilter } from '../filters/text-filter.tsx'
import { useAddress } from '../filters/use-address.ts'
import { PetFilter } from '../pets/pet-filter.tsx'
import { RecordPage } from '../table/record-page.tsx'
import { orderActions } from './order-actions.ts'
import { orderColumns } from './order-columns.tsx'
import { OrderDetail } from './order-detail.tsx'
import { OrderForm } from './order-form.tsx'
import { type NamedOrder, type OrderSearch, useOrderList } from './order-list.ts'
import { orderStatusBadges } from './order-statuses.ts'

const statuses = orderStatuses.map((value) => ({ value, label: orderStatusBadges[value].label }))
/** The longest reference of an order, in code points. */
const referenceMax = 200

/** Places, ships, delivers and cancels orders. */
export function OrdersPage() {
  const [search, setSearch] = useAddress<OrderSearch>()
  const { orderPet } = search
  const canWrite = useHasScope('orders:write')
  return (
    <RecordPage<NamedOrder>
      kind="order"
      list={useOrderList(search)}
      columns={orderColumns}
      filters={
        <>
          <ChoiceFilter name="status" label="Status" everything="Any status" options={statuses} />
          <PetFilter />
          <TextFilter name="reference" label="Reference" lengthMax={referenceMax} />
          <TextFilter name="at" label="Order number" isId />
          <DayFilters />
          <SortButton reverse="id" />
        </>
      }
      empty={{
        title: 'There are no orders yet',
        text: 'Orders placed here or through the API appear here.',
        icon: 'cart',
      }}
      noMatch={{
        filters: ['status', 'pet', 'reference', 'from', 'to'],
        text: 'Remove a filter.',
      }}
      add={canWrite ? 'Place' : undefined}
      isAddingFirst={canWrite && orderPet !== undefined}
      open="toRead"
      actions={orderActions}
      detail={(order, opened) =>
        order === undefined ? (
          <OrderForm pet={orderPet} {...opened} />
        ) : (
          <OrderDetail opened={order} close={opened.close} />
        )
      }
      onClose={() => orderPet !== undefined && setSearch({ orderPet: undefined })}
    />
  )
}
