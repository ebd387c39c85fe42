import { searchedWords } from '../base/found-words.ts'
import { UserText } from '../shared/user-text.tsx'
import { useAddress } from '../table/use-address.ts'
import { readPetSearch } from './pet-search.ts'

/** The name of a pet in the list; what of it is searched for is marked. */
export function PetName({ name }: { name: string }) {
  const [{ words = '' }] = useAddress(readPetSearch)
  return <UserText text={name} found={searchedWords(words)} />
}
