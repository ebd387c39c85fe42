import { Select } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useCategories } from '../api/categories.ts'
import { parseId } from '../base/int64-text.ts'
import { categoryOptions, filterCategories } from '../shared/category-options.ts'

type Props = {
  /** Its number; '' for none. */
  value: string
  onChange(id: string): void
  error: ReactNode
  readOnly: boolean
}

/** Chooses a category by a part of its name, or by its number. */
export function CategoryField({ value, onChange, ...field }: Props) {
  const [typed, setTyped] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  const categories = useCategories()
  const options = categoryOptions(categories, [value, typed])
  const chosen = options.find((option) => option.value === value)
  const isTyping = typed !== '' && typed !== chosen?.label
  const id = parseId(value)
  const isMissing = categories.isWhole && id !== undefined && categories.nameOf(id) === undefined

  /** Chooses the first that matches what is typed, also where the list has not opened yet. */
  function chooseFirst() {
    setIsOpen(false)
    if (!isTyping) return
    const [first] = filterCategories({ options, search: typed, limit: 1 })
    if (first !== undefined && 'value' in first) onChange(first.value)
  }

  /** Enter in a text that is not chosen yet must not save without it. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !isTyping) return
    event.preventDefault()
    chooseFirst()
  }

  return (
    <Select
      label="Category"
      placeholder="Choose a category"
      description={isMissing && 'There is no category with this number. A pet may have it.'}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? '')}
      data={options}
      onSearchChange={setTyped}
      onKeyDown={onKeyDown}
      onBlur={chooseFirst}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      filter={filterCategories}
      nothingFoundMessage="There is no such category."
      {...field}
      allowDeselect={false}
      openOnFocus={false}
      limit={100}
      searchable
      // Else the field would choose the first of all when it is left.
      selectFirstOptionOnChange={isTyping}
      autoSelectOnBlur={isTyping}
    />
  )
}
