import { searchMax } from '../../../src/contract/words.ts'
import { useCategories } from '../api/categories.ts'
import { ChoiceFilter } from '../filters/choice-filter.tsx'
import { Filters } from '../filters/filters.tsx'
import { JumpToId } from '../filters/jump-to-id.tsx'
import { NameFilter } from '../filters/name-filter.tsx'
import { SortButton } from '../filters/sort-button.tsx'
import { categoryOptions, filterCategories } from '../shared/category-options.ts'
import type { AddressChange } from '../table/use-address.ts'
import type { PetSearch } from './pet-search.ts'
import { PetStatusFilter } from './pet-status-filter.tsx'

type Props = { search: PetSearch; setSearch(changes: AddressChange<PetSearch>): void }

export function PetFilters({ search, setSearch }: Props) {
  const { words = '', status, category, sort } = search
  return (
    <Filters>
      <NameFilter
        of="pets"
        label="Find by name"
        max={searchMax}
        name={words}
        setName={(words) => setSearch({ words })}
      />
      <PetStatusFilter status={status} setStatus={(status) => setSearch({ status })} />
      <ChoiceFilter
        label="Category"
        everything="Any category"
        value={category}
        options={categoryOptions(useCategories(), category)}
        isSearchable
        filter={filterCategories}
        set={(category) => setSearch({ category })}
      />
      <SortButton
        isNewestFirst={sort === '-id'}
        setNewestFirst={(isFirst) => setSearch({ sort: isFirst ? '-id' : undefined })}
      />
      <JumpToId group="Pets" jump={(id) => setSearch({ at: String(id) })} />
    </Filters>
  )
}
