import type { ReactNode } from 'react'
import { formatCount, formatInstant, formatPrice } from '../base/format.ts'
import { Members, RecordPanel } from '../editor/record-panel.tsx'
import { History } from '../history/history.tsx'
import { UserText } from '../shared/user-text.tsx'
import { PetLink } from '../table/cells.tsx'
import { OrderState } from './order-columns.tsx'
import { type NamedOrder, useLatestOrder } from './order-list.ts'

type Props = {
  /** The order as it was opened. */
  opened: NamedOrder
  close(): void
}

/** All that is known of an order, and what can be done to it. */
export function OrderDetail({ opened, close }: Props) {
  const order = useLatestOrder(opened)
  const { petId, petName, quantity, unitPrice, createdAt, shipDate, expiresAt, reference } = order
  const members: [label: string, value: ReactNode][] = [
    ['Pet', <PetLink key="pet" id={petId} name={petName} />],
    ['Pet id', String(petId)],
    ['Quantity', formatCount(quantity)],
    ['Price each', unitPrice && formatPrice(unitPrice)],
    ['Status', <OrderState key="status" order={order} />],
    ['Placed', formatInstant(createdAt)],
    ['Shipped', shipDate && formatInstant(shipDate)],
    ['Hold expires', order.status === 'pending' && expiresAt && formatInstant(expiresAt)],
    ['Reference', reference && <UserText key="reference" text={reference} isWhole />],
  ]
  return (
    <RecordPanel title="Order" record={order} close={close}>
      <Members members={members} />
      <History of={{ orderId: order.id }} />
    </RecordPanel>
  )
}
