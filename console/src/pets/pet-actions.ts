import type { Pet } from '../../../client/src/index.ts'
import { client } from '../api/client.ts'
import { delay } from '../shared/delayed-actions.ts'
import type { RecordAction } from '../table/record-actions.tsx'
import { findPet } from './pet-list.ts'

export const petActions: readonly RecordAction<Pet>[] = [
  {
    label: 'Order',
    icon: 'cart',
    shortcut: 'o',
    scope: 'orders:write',
    isOffered: ({ status }) => status === 'available',
    run: ({ id }, { navigate }) =>
      void navigate({ to: '/orders', search: { orderPet: String(id) } }),
  },
  {
    label: 'Withdraw',
    icon: 'trash',
    shortcut: 'Delete',
    scope: 'pets:write',
    run: (pet, { markGone }) => withdraw(pet, () => markGone(pet.id)),
  },
]

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
