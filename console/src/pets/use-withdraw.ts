import { useCallback, useRef } from 'react'
import type { Pet } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { delay } from '../shared/delayed-actions.ts'
import type { RecordList } from '../table/use-record-list.ts'
import { fetchPet } from './use-pets.ts'

/**
 * Withdraws a pet after some seconds in which it can be undone, and only as it was when it was chosen: if somebody
 * changes it meanwhile, it stays.
 */
export function useWithdraw(pets: RecordList<Pet>): (pet: Pet) => void {
  const latest = useRef(pets)
  latest.current = pets
  return useCallback((pet: Pet) => {
    const version = fetchPet(pet.id)
    // It is told when it is sent.
    version.catch(() => undefined)
    delay({
      id: `pet ${pet.id}`,
      verb: 'Withdrawing',
      name: pet.name,
      done: `Pet ${pet.id} was withdrawn.`,
      async send() {
        const found = await version
        if (found !== undefined) await client.pets.delete(pet.id, { ifMatch: found.etag })
        latest.current.change({ type: 'gone', id: pet.id })
      },
    })
  }, [])
}
