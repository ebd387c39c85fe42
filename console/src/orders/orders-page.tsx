import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Int64 } from '../../../client/src/operation.ts'
import { useShortcut } from '../frame/shortcuts.ts'
import { useMay } from '../session/session.ts'
import { Icon } from '../shared/icon.tsx'
import { parseId } from '../shared/int64-text.ts'
import { Notice } from '../shared/notice.tsx'
import { PageHead } from '../shared/page-head.tsx'
import { RecordTable } from '../table/record-table.tsx'
import { orderColumns } from './order-columns.tsx'
import { OrderForm } from './order-form.tsx'
import { nextMoves } from './order-statuses.ts'
import { OrdersFilters } from './orders-filters.tsx'
import classes from './orders-page.module.css'
import { type OrdersSearch, readOrdersSearch } from './orders-search.ts'
import { useMoveOrder } from './use-move-order.ts'
import { useOrders } from './use-orders.ts'

const group = 'Orders'
const onPhone = '(max-width: 48em)'
const rowHeights = { phone: 62, desk: 44 }

/** Places, ships, delivers and cancels orders. */
export function OrdersPage() {
  const search: OrdersSearch = useSearch({ from: '/orders' })
  const navigate = useNavigate({ from: '/orders' })
  const orders = useOrders(search)
  const moves = useMoveOrder(orders)
  const canWrite = useMay('orders:write')
  const canReadPets = useMay('pets:read')
  const isPhone = useMediaQuery(onPhone, false, { getInitialValueInEffect: false })
  const [chosenId, setActiveId] = useState<Int64>()
  const [isFormOpen, setIsFormOpen] = useState(search.place !== undefined)
  const activeId = chosenId ?? (search.at === undefined ? undefined : parseId(search.at))
  const active = orders.window.rows.find(({ record }) => record.id === activeId)?.record

  const setSearch = (changes: Record<string, unknown>) => {
    setActiveId(undefined)
    void navigate({
      search: readOrdersSearch({ ...search, at: undefined, ...changes }),
      replace: true,
    })
  }
  const close = () => {
    setIsFormOpen(false)
    if (search.place !== undefined) setSearch({ place: undefined })
    document.querySelector<HTMLElement>('[role="grid"]')?.focus()
  }
  const { move, isMoving } = moves
  const columns = useMemo(
    () => orderColumns({ move, isMoving, canWrite, canReadPets }),
    [move, isMoving, canWrite, canReadPets],
  )

  const open = () => setIsFormOpen(true)
  const target = canWrite && !isFormOpen && active && !isMoving(active) ? active : undefined
  const [first] = target ? (nextMoves[target.status] ?? []) : []
  const canCancel = target?.status === 'pending'
  useShortcut(
    canWrite && !isFormOpen ? { keys: 'n', label: 'Place an order', group, run: open } : undefined,
  )
  useShortcut(
    target && first === 'ship'
      ? { keys: 's', label: 'Ship the order', group, run: () => move(target, 'ship') }
      : undefined,
  )
  useShortcut(
    target && first === 'deliver'
      ? { keys: 'd', label: 'Deliver the order', group, run: () => move(target, 'deliver') }
      : undefined,
  )
  useShortcut(
    target && canCancel
      ? { keys: 'Delete', label: 'Cancel the order', group, run: () => move(target, 'cancel') }
      : undefined,
  )

  return (
    <>
      <PageHead title="Orders">
        {canWrite && (
          <Button leftSection={<Icon name="plus" />} disabled={isFormOpen} onClick={open}>
            Place an order
          </Button>
        )}
      </PageHead>
      <OrdersFilters search={search} setSearch={setSearch} />
      <RecordTable
        label="Orders"
        list={orders}
        columns={columns}
        rowHeight={isPhone ? rowHeights.phone : rowHeights.desk}
        headHeight={isPhone ? 0 : 40}
        className={classes.table}
        activeId={activeId}
        setActiveId={setActiveId}
        open={() => undefined}
        empty={
          <NoOrders search={search} setSearch={setSearch} open={canWrite ? open : undefined} />
        }
        overlay={
          isFormOpen
            ? {
                id: undefined,
                content: (
                  <OrderForm
                    pet={search.place}
                    close={close}
                    placed={(order) => {
                      orders.change({ type: 'insert', record: order, order: orders.order })
                      setActiveId(order.id)
                    }}
                  />
                ),
              }
            : undefined
        }
      />
    </>
  )
}

type NoOrdersProps = {
  search: OrdersSearch
  setSearch(changes: Record<string, unknown>): void
  open: (() => void) | undefined
}

/** In place of the list. */
function NoOrders({ search, setSearch, open }: NoOrdersProps) {
  const { status, pet, reference } = search
  if (status === undefined && pet === undefined && reference === undefined) {
    return (
      <Notice
        title="There are no orders yet"
        text="Orders that are placed here or through the interface are listed here."
        icon="cart"
      >
        {open !== undefined && <Button onClick={open}>Place the first order</Button>}
      </Notice>
    )
  }
  const none = { status: undefined, pet: undefined, reference: undefined }
  return (
    <Notice title="No order matches" text="Take a filter away." icon="filter">
      <Button variant="default" onClick={() => setSearch(none)}>
        Show all orders
      </Button>
    </Notice>
  )
}
