import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import type { Pet } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { useHasScope } from '../api/session.ts'
import { delay } from '../shared/delayed-actions.ts'
import type { RecordAction } from '../table/record-actions.tsx'
import { markGone } from '../table/record-window.ts'
import type { RecordList } from '../table/use-record-list.ts'
import { findPet } from './pet-list.ts'

/** What can be done to a pet, as far as the key may. */
export function usePetActions(list: RecordList<Pet>): readonly RecordAction<Pet>[] {
  const navigate = useNavigate()
  const canOrder = useHasScope('orders:write')
  const canWrite = useHasScope('pets:write')
  const latest = useRef(list)
  latest.current = list
  return useMemo(() => {
    const order: RecordAction<Pet> = {
      label: 'Order',
      icon: 'cart',
      shortcut: 'o',
      isOffered: ({ status }) => status === 'available',
      run: ({ id }) => void navigate({ to: '/orders', search: { orderPet: String(id) } }),
    }
    const withdrawal: RecordAction<Pet> = {
      label: 'Withdraw',
      icon: 'trash',
      shortcut: 'Delete',
      run: (pet) =>
        withdraw(pet, () => latest.current.change((window) => markGone(window, pet.id))),
    }
    return [...(canOrder ? [order] : []), ...(canWrite ? [withdrawal] : [])]
  }, [navigate, canOrder, canWrite])
}

/**
 * Withdraws a pet after some seconds in which it can be undone, and only as it was when it was chosen: if somebody
 * changes it meanwhile, it stays.
 */
function withdraw({ id, name }: Pet, done: () => void): void {
  const version = findPet(id)
  // `send` reports the failure.
  version.catch(() => undefined)
  delay({
    id: `pet ${id}`,
    verb: 'Withdrawing',
    name,
    done: `Pet ${id} was withdrawn.`,
    async send() {
      const found = await version
      if (found !== undefined) await client.pets.delete(id, { ifMatch: found.etag })
      done()
    },
  })
}
