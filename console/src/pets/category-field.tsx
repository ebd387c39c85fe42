import { Select } from '@mantine/core'
import { type ReactNode, useState } from 'react'
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
  const categories = useCategories()
  const options = categoryOptions(categories, [value, typed])
  const chosen = options.find((option) => option.value === value)
  const isTyping = typed !== '' && typed !== chosen?.label
  const id = parseId(value)
  const isMissing = categories.isWhole && id !== undefined && categories.nameOf(id) === undefined
  return (
    <Select
      label="Category"
      placeholder="Choose a category"
      description={isMissing && 'There is no category with this number. A pet may have it.'}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? '')}
      data={options}
      onSearchChange={setTyped}
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
