import { useHasScope } from '../api/session.ts'
import { RecordPage } from '../table/record-page.tsx'
import { useAddress } from '../table/use-address.ts'
import { useOrderActions } from './order-actions.ts'
import { orderColumns } from './order-columns.tsx'
import { OrderDetail } from './order-detail.tsx'
import { OrderFilters } from './order-filters.tsx'
import { OrderForm } from './order-form.tsx'
import { type NamedOrder, useOrderList } from './order-list.ts'
import { readOrderSearch } from './order-search.ts'

const add = { label: 'Place an order', first: 'Place the first order' }
const show = { label: 'Show', shortcut: 'Enter' }
const noFilter = { status: undefined, pet: undefined, reference: undefined }

/** Places, ships, delivers and cancels orders. */
export default function OrdersPage() {
  const [search, setSearch] = useAddress(readOrderSearch)
  const list = useOrderList(search)
  const actions = useOrderActions(list)
  const canWrite = useHasScope('orders:write')
  const { status, pet, reference, orderPet } = search
  const isFiltered = status !== undefined || pet !== undefined || reference !== undefined
  return (
    <RecordPage<NamedOrder>
      kind="order"
      list={list}
      at={search.at}
      columns={orderColumns}
      filters={<OrderFilters search={search} setSearch={setSearch} />}
      empty={{
        title: 'There are no orders yet',
        text: 'Orders placed here or through the API appear here.',
        icon: 'cart',
      }}
      noMatch={
        isFiltered
          ? {
              title: 'No order matches',
              text: 'Remove a filter.',
              showAll: 'Show all orders',
              clear: () => setSearch(noFilter),
            }
          : undefined
      }
      add={canWrite ? add : undefined}
      isAddingFirst={canWrite && orderPet !== undefined}
      open={show}
      actions={actions}
      goTo={(id) => setSearch({ ...noFilter, at: String(id) })}
      detail={(order, { close, saved }) =>
        order === undefined ? (
          <OrderForm pet={orderPet} close={close} saved={saved} />
        ) : (
          <OrderDetail opened={order} close={close} />
        )
      }
      onClose={() => orderPet !== undefined && setSearch({ orderPet: undefined })}
    />
  )
}
