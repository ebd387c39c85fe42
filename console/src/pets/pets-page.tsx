import { useMemo } from 'react'
import type { Pet } from '../../../client/src/generated/records.ts'
import { client } from '../api/client.ts'
import { useCount } from '../api/counts.ts'
import { useHasScope } from '../api/session.ts'
import { RecordPanel } from '../editor/record-panel.tsx'
import { History } from '../events/history.tsx'
import { CountText } from '../shared/count-text.tsx'
import { UserText } from '../shared/user-text.tsx'
import type { Choice } from '../table/choice.tsx'
import { RecordPage } from '../table/record-page.tsx'
import { useAddress } from '../table/use-address.ts'
import { ChosenPets } from './chosen-pets.tsx'
import { usePetActions } from './pet-actions.ts'
import { petColumns } from './pet-columns.tsx'
import { PetFilters } from './pet-filters.tsx'
import { PetForm } from './pet-form.tsx'
import { fetchAllPets, petFilter, usePetList } from './pet-list.ts'
import { type PetSearch, readPetSearch } from './pet-search.ts'
import { PetTools } from './pet-tools.tsx'

const add = { label: 'Add a pet', first: 'Add the first pet' }
const edit = { label: 'Edit', icon: 'edit', shortcut: 'e' } as const
const show = { label: 'Show', shortcut: 'Enter' }
const noFilter = { status: undefined, category: undefined, words: undefined }

/** Finds, adds, edits and withdraws pets. */
export function PetsPage() {
  const [search, setSearch] = useAddress(readPetSearch)
  const list = usePetList(search)
  const actions = usePetActions(list)
  const canWrite = useHasScope('pets:write')
  const { status, category, words } = search
  const choices = useMemo(
    () => ({
      bar: (choice: Choice<Pet>) => <ChosenPets choice={choice} canWrite={canWrite} />,
      fetchAll: () => fetchAllPets(search),
    }),
    [canWrite, search],
  )
  const isFiltered = status !== undefined || category !== undefined || words !== undefined
  return (
    <RecordPage<Pet>
      kind="pet"
      about={<PetCount search={search} />}
      list={list}
      at={search.at}
      columns={petColumns}
      filters={<PetFilters search={search} setSearch={setSearch} />}
      tools={<PetTools search={search} />}
      empty={{
        title: 'There are no pets yet',
        text: 'Pets added here or through the API appear here.',
      }}
      noMatch={
        isFiltered
          ? {
              title: 'No pet matches',
              text: 'Remove a filter or try other words.',
              showAll: 'Show all pets',
              clear: () => setSearch(noFilter),
            }
          : undefined
      }
      add={canWrite ? add : undefined}
      open={canWrite ? edit : show}
      actions={actions}
      choices={choices}
      detail={(pet, opened) =>
        pet === undefined || canWrite ? (
          <PetForm pet={pet} {...opened} />
        ) : (
          <RecordPanel title="Pet" of="pet" record={pet} close={opened.close}>
            <UserText text={pet.name} isWhole />
            <History of={{ petId: pet.id }} />
          </RecordPanel>
        )
      }
      goTo={(id) => setSearch({ ...noFilter, at: String(id) })}
    />
  )
}

/** How many pets match. */
function PetCount({ search }: { search: PetSearch }) {
  const filter = petFilter(search)
  const { data } = useCount('pet', [filter.status, search.category, filter.search], (options) =>
    client.pets.list({ ...filter, limit: 1 }, options),
  )
  if (data === undefined) return null
  return (
    <>
      <CountText value={data} /> {data === 'tooLong' ? '' : data === 1 ? 'pet' : 'pets'}
    </>
  )
}
