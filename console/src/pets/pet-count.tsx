import { count } from '../shared/numbers.ts'
import type { PetsSearch } from './pets-search.ts'
import { usePetCount } from './use-pets.ts'

/** How many pets match. A count that takes too long is left out, and says so. */
export function PetCount({ search }: { search: PetsSearch }) {
  const pets = usePetCount(search)
  if (pets === undefined) return null
  if (pets === 'tooLong')
    return <span title="Counting them takes the service too long.">not counted</span>
  return <span>{pets === 1 ? '1 pet' : `${count(pets)} pets`}</span>
}
