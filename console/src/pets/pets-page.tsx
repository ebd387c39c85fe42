import { Button } from '@mantine/core'
import { searchMax } from '../../../src/contract/words.ts'
import { useCategories } from '../api/categories.ts'
import { reader } from '../api/client.ts'
import { type Count, useCounts } from '../api/counts.ts'
import { useHasScope } from '../api/session.ts'
import { RecordPanel } from '../editor/record-panel.tsx'
import { ChoiceFilter } from '../filters/choice-filter.tsx'
import { SortButton } from '../filters/sort-button.tsx'
import { TextFilter } from '../filters/text-filter.tsx'
import { useAddress } from '../filters/use-address.ts'
import { History } from '../history/history.tsx'
import { categoryOptions, filterCategories } from '../shared/category-options.ts'
import { CountText } from '../shared/count-text.tsx'
import { Icon } from '../shared/icon.tsx'
import { UserText } from '../shared/user-text.tsx'
import { edit } from '../table/record-actions.tsx'
import { RecordPage } from '../table/record-page.tsx'
import { ChosenPets, RefusedPets } from './chosen-pets.tsx'
import { DetailsMembers } from './details-fields.tsx'
import { downloadPets } from './download-pets.ts'
import { ImportPets } from './import/import-pets.tsx'
import { petActions } from './pet-actions.ts'
import { petColumns } from './pet-columns.tsx'
import type { ShownPet } from './pet-details.ts'
import { PetForm } from './pet-form.tsx'
import { fetchAllPets, type PetSearch, petFilter, usePetList } from './pet-list.ts'
import { PetStatusFilter } from './pet-status.tsx'
import { PetPhoto } from './photo/pet-photo.tsx'

/** Finds, adds, edits and withdraws pets. */
export function PetsPage() {
  const [search] = useAddress<PetSearch>()
  const canWrite = useHasScope('pets:write')
  const total = usePetCount(search)
  return (
    <RecordPage<ShownPet>
      kind="pet"
      about={total !== undefined && <PetCount total={total} />}
      list={usePetList(search)}
      columns={petColumns}
      filters={
        <>
          <TextFilter name="words" label="Find by name" isSearch lengthMax={searchMax} />
          <PetStatusFilter />
          <ChoiceFilter
            name="category"
            label="Category"
            everything="Any category"
            options={categoryOptions(useCategories(), [search.category ?? ''])}
            filter={filterCategories}
          />
          <SortButton reverse="-id" />
        </>
      }
      tools={<PetTools search={search} canWrite={canWrite} />}
      empty={{
        title: 'There are no pets yet',
        text: 'Pets added here or through the API appear here.',
      }}
      noMatch={{
        filters: ['status', 'category', 'words'],
        text: 'Remove a filter or try other words.',
      }}
      add={canWrite ? 'Add' : undefined}
      open={canWrite ? edit : 'toRead'}
      actions={petActions}
      choices={{
        bar: (choice) => <ChosenPets choice={choice} total={total} canWrite={canWrite} />,
        fetchAll: () => fetchAllPets(search),
      }}
      detail={(pet, opened) =>
        pet === undefined || canWrite ? (
          <PetForm pet={pet} {...opened} />
        ) : (
          <RecordPanel title="Pet" record={pet} close={opened.close}>
            <UserText text={pet.name} isWhole />
            <DetailsMembers details={pet.details} />
            <PetPhoto pet={pet} canWrite={false} />
            <History of={{ petId: pet.id }} />
          </RecordPanel>
        )
      }
    />
  )
}

/** How many pets match. */
function usePetCount(search: PetSearch): Count | undefined {
  const filter = petFilter(search)
  return useCounts(
    'pet',
    [filter.status, search.category, filter.search],
    [(options) => reader.pets.list({ ...filter, limit: 1 }, options)],
  ).data?.[0]
}

function PetCount({ total }: { total: Count }) {
  return (
    <>
      <CountText value={total} /> {total === 'tooLong' ? '' : total === 1 ? 'pet' : 'pets'}
    </>
  )
}

/** Pets from a spreadsheet, and those that match as one. */
function PetTools({ search, canWrite }: { search: PetSearch; canWrite: boolean }) {
  const { sort } = search
  const exported = { ...petFilter(search), ...(sort === '-id' && { sort }) }
  return (
    <>
      {canWrite && <ImportPets />}
      <Button
        variant="default"
        leftSection={<Icon name="download" />}
        onClick={() => downloadPets(exported)}
      >
        Export
      </Button>
      <RefusedPets />
    </>
  )
}
