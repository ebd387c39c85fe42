import { useMemo, useRef, useState } from 'react'
import { client } from '../api/client.ts'
import { describeError, isOutcomeUnknown } from '../api/describe-error.ts'
import { useHasScope } from '../api/session.ts'
import { randomName } from '../base/random-name.ts'
import { delay } from '../shared/delayed-actions.ts'
import { say, sayProblem } from '../shared/toasts.ts'
import type { RecordAction } from '../table/record-actions.tsx'
import type { RecordList } from '../table/use-record-list.ts'
import type { NamedOrder } from './order-list.ts'
import { nextMoves } from './order-statuses.ts'
import { putOrder } from './use-latest-order.ts'

type Step = 'ship' | 'deliver'

/** What can be done to an order, as far as the key may: shipped and delivered at once, cancelled after some seconds. */
export function useOrderActions(list: RecordList<NamedOrder>): readonly RecordAction<NamedOrder>[] {
  const canWrite = useHasScope('orders:write')
  const [moving, setMoving] = useState<ReadonlySet<string>>(new Set())
  const latest = useRef(list)
  latest.current = list
  return useMemo(() => {
    const show = async (record: NamedOrder) => {
      latest.current.change({ type: 'put', record })
      await putOrder(record)
    }
    const advance = (step: Step) => async (order: NamedOrder) => {
      const id = String(order.id)
      setMoving((others) => new Set(others).add(id))
      await send(order, step, show)
      setMoving((others) => new Set([...others].filter((other) => other !== id)))
    }
    const shared = { isBusy: ({ id }: NamedOrder) => moving.has(String(id)) }
    const actions: RecordAction<NamedOrder>[] = [
      {
        label: 'Ship',
        shortcut: 's',
        isOffered: ({ status }) => nextMoves[status]?.includes('ship') ?? false,
        run: advance('ship'),
        ...shared,
      },
      {
        label: 'Deliver',
        shortcut: 'd',
        isOffered: ({ status }) => nextMoves[status]?.includes('deliver') ?? false,
        run: advance('deliver'),
        ...shared,
      },
      {
        label: 'Cancel',
        shortcut: 'Delete',
        isQuiet: true,
        isOffered: ({ status }) => nextMoves[status]?.includes('cancel') ?? false,
        run: (order) => cancel(order, show),
        ...shared,
      },
    ]
    return canWrite ? actions : []
  }, [canWrite, moving])
}

type Show = (order: NamedOrder) => Promise<void>

/** Keys of moves whose outcome is not known: the same move sent again has one effect. */
const openKeys = new Map<string, string>()

async function send(order: NamedOrder, step: Step, show: Show) {
  const name = `${step} ${order.id}`
  const idempotencyKey = openKeys.get(name) ?? randomName()
  openKeys.set(name, idempotencyKey)
  try {
    const moved = await client.orders[step](order.id, { idempotencyKey })
    await show({ ...order, ...moved })
    say(`Order ${order.id} was ${moved.status}.`)
    openKeys.delete(name)
  } catch (error) {
    if (!isOutcomeUnknown(error)) openKeys.delete(name)
    sayProblem(describeError(error))
  }
}

function cancel(order: NamedOrder, show: Show): void {
  const { id, petId, petName = `pet ${petId}` } = order
  delay({
    id: `order ${id}`,
    verb: 'Cancelling the order of',
    name: petName,
    done: `Order ${id} was cancelled.`,
    async send() {
      await client.orders.cancel(id)
      await show({ ...order, status: 'cancelled' })
    },
  })
}
