import { Filters } from '../filters/filters.tsx'
import { JumpToId } from '../filters/jump-to-id.tsx'
import { PetStatusFilter } from '../pets/pet-status-filter.tsx'
import type { AddressChange } from '../table/use-address.ts'
import type { StockSearch } from './stock-search.ts'

type Props = { search: StockSearch; setSearch(changes: AddressChange<StockSearch>): void }

export function StockFilters({ search, setSearch }: Props) {
  return (
    <Filters>
      <PetStatusFilter status={search.status} setStatus={(status) => setSearch({ status })} />
      <JumpToId group="Inventory" jump={(id) => setSearch({ at: String(id) })} />
    </Filters>
  )
}
