import { Button, SegmentedControl, Select } from '@mantine/core'
import { petStatuses } from '../../../src/features/pets/pet-status.ts'
import type { Categories } from '../api/categories.ts'
import { categoryOptions } from '../shared/category-options.ts'
import { Icon } from '../shared/icon.tsx'
import { NameFilter } from '../shared/name-filter.tsx'
import { JumpToId } from './jump-to-id.tsx'
import classes from './pet-filters.module.css'
import { statusLooks } from './pet-statuses.ts'
import type { PetsSearch, SearchChange } from './pets-search.ts'

type Props = {
  search: PetsSearch
  setSearch(changes: SearchChange): void
  categories: Categories
}

/** The filters of the list; they stand in the address. */
export function PetFilters({ search, setSearch, categories }: Props) {
  const { status, category, sort } = search
  const statuses = petStatuses.map((value) => ({ value, label: statusLooks[value].label }))
  return (
    <search className={classes.filters} aria-label="Filters">
      <NameFilter
        of="pets"
        className={classes.name}
        name={search.name ?? ''}
        setName={(name) => setSearch({ name })}
      />
      <SegmentedControl
        className={classes.status}
        aria-label="Status"
        value={status ?? 'all'}
        onChange={(value) =>
          setSearch({ status: statuses.find((one) => one.value === value)?.value })
        }
        data={[{ value: 'all', label: 'All' }, ...statuses]}
      />
      <Select
        className={classes.category}
        aria-label="Category"
        placeholder="Every category"
        value={category ?? null}
        onChange={(value) => setSearch({ category: value ?? undefined })}
        data={categoryOptions(categories, category)}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Every category' }}
        nothingFoundMessage="No such category"
        limit={100}
      />
      <Button
        variant="default"
        className={classes.order}
        aria-pressed={sort === '-id'}
        leftSection={<Icon name={sort === '-id' ? 'arrowDown' : 'arrowUp'} size={16} />}
        onClick={() => setSearch({ sort: sort === '-id' ? undefined : '-id' })}
      >
        {sort === '-id' ? 'Newest first' : 'Oldest first'}
      </Button>
      <JumpToId jump={(id) => setSearch({ at: String(id) })} />
    </search>
  )
}
