import { Select, type SelectProps } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import type { Pet } from '../../../client/src/index.ts'
import { wordsOf } from '../../../src/contract/words.ts'
import { reader } from '../api/client.ts'
import { following } from '../api/following.ts'
import { uniqueIds } from '../api/pet-names.ts'
import { useHasScope } from '../api/session.ts'
import { parseId } from '../base/int64-text.ts'
import { searchedWords } from '../base/searched-words.ts'
import { CategoryName } from '../categories/category-name.tsx'
import { UserText } from '../shared/user-text.tsx'
import classes from './pet-select.module.css'
import { PetStatusBadge } from './pet-status.tsx'

/** The pets that are offered. */
const offeredMax = 6
const combobox = {
  portalProps: { target: '#page' },
  floatingStrategy: 'fixed',
  position: 'bottom-start',
  width: 'max-content',
} as const

/** The pet with the id that is typed, and the first pets with words that begin with the typed ones. */
export function useFoundPets(typed: string): readonly Pet[] {
  const id = parseId(typed)
  const words = searchedWords(typed)
  const search = words.join(' ')
  const isOn = useHasScope('pets:read') && search !== ''
  const { data = [] } = useQuery({
    queryKey: ['found pets', search],
    queryFn: async ({ signal }) => {
      const queries = [...(id === undefined ? [] : [{ id }]), { search, limit: offeredMax }]
      const pages = await Promise.all(queries.map((query) => reader.pets.list(query, { signal })))
      const found = pages.flatMap(({ data }) => data)
      return [...new Map(found.map((pet) => [String(pet.id), pet])).values()].slice(0, offeredMax)
    },
    enabled: isOn,
    placeholderData: keepPreviousData,
  })
  // Those of the last text are kept as far as they match this one.
  const begins = (name: string) =>
    words.every((word) => wordsOf(name).some((one) => one.startsWith(word)))
  return isOn ? data.filter((pet) => pet.id === id || begins(pet.name)) : []
}

/** A pet in one line: its name, id, category and status. */
export function PetLine({ pet }: { pet: Pet }) {
  return (
    <span className={classes.pet}>
      <UserText text={pet.name} />
      <PetFacts pet={pet} />
    </span>
  )
}

function PetFacts({ pet }: { pet: Pet }) {
  return (
    <span className={classes.facts}>
      {String(pet.id)} · <CategoryName id={pet.categoryId} />
      <PetStatusBadge status={pet.status} />
    </span>
  )
}

type Props = Omit<SelectProps, 'value' | 'onChange' | 'data'> & {
  /** Its id; '' for none. */
  value: string
  onChange(id: string): void
}

/** Chooses a pet by any words of its name, or by its id. A field with a label tells more of the pet below. */
export function PetSelect({ value, onChange, ...field }: Props) {
  const [typed, setTyped] = useState<string>()
  const [isOpen, setIsOpen] = useState(false)
  const typedId = parseId(typed ?? '')
  const found = useFoundPets(typed ?? '')
  const chosen = useChosenPet(value)
  const pets = [...found, ...(chosen ? [chosen] : [])]
  const petOf = (id: string) => pets.find((pet) => String(pet.id) === id)
  // An id can be chosen also where the key may not read pets, and before they have come.
  const ids = [typedId, ...found.map(({ id }) => id), parseId(value)]
  const options = uniqueIds(ids.filter((id) => id !== undefined)).map((id) => {
    const option = String(id)
    return { value: option, label: petOf(option)?.name ?? `Pet ${option}` }
  })

  function choose(id: string) {
    setTyped(undefined)
    setIsOpen(false)
    onChange(id)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || typed === undefined) return
    // The next Enter is that of the form.
    event.preventDefault()
    const [first] = options
    if (first) choose(first.value)
  }

  return (
    <Select
      placeholder="Pet name or id"
      description={field.label && describe(chosen)}
      {...field}
      value={value === '' ? null : value}
      searchValue={typed ?? options.find((option) => option.value === value)?.label ?? ''}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onKeyDown={onKeyDown}
      onOptionSubmit={choose}
      onClear={() => choose('')}
      onBlur={() => (typedId === undefined ? setTyped(undefined) : choose(String(typedId)))}
      data={options}
      styles={{ options: { maxHeight: 'none' } }}
      comboboxProps={combobox}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      filter={({ options }) => options}
      renderOption={({ option: { value, label } }) => {
        const pet = petOf(value)
        return pet === undefined ? label : <PetLine pet={pet} />
      }}
      selectFirstOptionOnChange
      allowDeselect={false}
      openOnFocus={false}
      searchable
      {...(typed && { nothingFoundMessage: 'No pet matches' })}
    />
  )
}

function describe(chosen: Pet | null | undefined) {
  if (chosen === null) return 'There is no pet with this id'
  return chosen && <PetFacts pet={chosen} />
}

/** The pet of an id; null where there is none, undefined until it is known, or where the key may not read it. */
function useChosenPet(value: string): Pet | null | undefined {
  const id = parseId(value)
  const isOn = useHasScope('pets:read') && id !== undefined
  const { data } = useQuery({
    ...following<Pet | null>(['pet']),
    queryKey: ['chosen pet', value],
    queryFn: async ({ signal }) => (await reader.pets.list({ id }, { signal })).data[0] ?? null,
    enabled: isOn,
  })
  return isOn ? data : undefined
}
