import { ActionIcon, Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { petStatuses } from '../../../src/features/pets/pet-status.ts'
import type { Categories } from '../api/categories.ts'
import { useShortcut } from '../frame/shortcuts.ts'
import { categoryOptions } from '../shared/category-options.ts'
import { Icon } from '../shared/icon.tsx'
import { JumpToId } from './jump-to-id.tsx'
import classes from './pet-filters.module.css'
import { statusLooks } from './pet-statuses.ts'
import type { PetsSearch, SearchChange } from './pets-search.ts'

type Props = {
  search: PetsSearch
  setSearch(changes: SearchChange): void
  categories: Categories
}

const typingMs = 150

/** The filters of the list; they stand in the address. */
export function PetFilters({ search, setSearch, categories }: Props) {
  const { status, category, sort } = search
  const statuses = petStatuses.map((value) => ({ value, label: statusLooks[value].label }))
  return (
    <search className={classes.filters} aria-label="Filters">
      <NameFilter name={search.name ?? ''} setName={(name) => setSearch({ name })} />
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

/** Finds pets by the beginning of their names, as one types. */
function NameFilter({ name, setName }: { name: string; setName(name: string | undefined): void }) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(name)
  const search = useDebouncedCallback((text: string) => setName(text || undefined), typingMs)
  // The address may change by other means: the palette, or the way back.
  useEffect(() => setTyped(name), [name])
  useShortcut({
    keys: '/',
    label: 'Find pets by name',
    group: 'Pets',
    run: () => input.current?.select(),
  })
  function type(text: string) {
    setTyped(text)
    search(text)
  }
  return (
    <TextInput
      ref={input}
      type="search"
      className={classes.name}
      aria-label="Find by name"
      placeholder="Find by name"
      value={typed}
      maxLength={1_000}
      spellCheck={false}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape') return
        if (typed === '') currentTarget.blur()
        else type('')
      }}
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        typed !== '' && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label="Clear the name"
            onClick={() => type('')}
          >
            <Icon name="close" size={14} />
          </ActionIcon>
        )
      }
    />
  )
}
