import { useCallback, useRef, useState } from 'react'
import { client } from '../api/client.ts'
import { describeError, isConnectionError } from '../api/describe-error.ts'
import { delay } from '../shared/delayed-actions.ts'
import { randomName } from '../shared/random-name.ts'
import { say, sayProblem } from '../shared/toasts.ts'
import type { RecordList } from '../table/use-record-list.ts'
import type { Move } from './order-statuses.ts'
import type { NamedOrder } from './use-orders.ts'

/** Keys of moves whose outcome is not known: the same move sent again has one effect. */
const openKeys = new Map<string, string>()

export type MoveOrder = {
  move(order: NamedOrder, move: Move): void
  /** Whether a move of the order is under way. */
  isMoving(order: NamedOrder): boolean
}

/** Ships and delivers at once, and cancels after some seconds in which it can be undone. */
export function useMoveOrder(orders: RecordList<NamedOrder>): MoveOrder {
  const [moving, setMoving] = useState<ReadonlySet<string>>(new Set())
  const latest = useRef(orders)
  latest.current = orders

  const advance = useCallback(async (order: NamedOrder, move: 'ship' | 'deliver') => {
    const id = String(order.id)
    setMoving((others) => new Set(others).add(id))
    const name = `${move} ${id}`
    const idempotencyKey = openKeys.get(name) ?? randomName()
    openKeys.set(name, idempotencyKey)
    try {
      const moved = await client.orders[move](order.id, { idempotencyKey })
      latest.current.change({ type: 'put', record: { ...order, ...moved } })
      say(`Order ${id} was ${moved.status}.`)
      openKeys.delete(name)
    } catch (error) {
      if (!isConnectionError(error)) openKeys.delete(name)
      sayProblem(describeError(error))
    } finally {
      setMoving((others) => new Set([...others].filter((other) => other !== id)))
    }
  }, [])

  const move = useCallback(
    (order: NamedOrder, to: Move) => {
      if (to !== 'cancel') {
        void advance(order, to)
        return
      }
      const { id, petName } = order
      delay({
        id: `order ${id}`,
        verb: 'Cancelling the order of',
        name: petName ?? `pet ${order.petId}`,
        done: `Order ${id} was cancelled.`,
        async send() {
          await client.orders.cancel(id)
          latest.current.change({ type: 'put', record: { ...order, status: 'cancelled' } })
        },
      })
    },
    [advance],
  )

  const isMoving = useCallback(({ id }: NamedOrder) => moving.has(String(id)), [moving])
  return { move, isMoving }
}
