import { Select } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useCategories } from '../api/categories.ts'
import { parseId } from '../base/int64-text.ts'
import { categoryOptions, filterCategories, namedCategory } from '../shared/category-options.ts'
import type { PetDraft } from './pet-draft.ts'

type Props = {
  draft: Pick<PetDraft, 'categoryId' | 'typedCategory'>
  set(changes: Partial<PetDraft>): void
  error: string | undefined
  readOnly: boolean
}

/** Chooses a category by its name or number. What is typed stays until it names one: it is never passed over. */
export function CategoryField({ draft, set, error, readOnly }: Props) {
  const { categoryId, typedCategory } = draft
  const isTypedId = typedCategory !== undefined && parseId(typedCategory) !== undefined
  const categories = useCategories()
  const number = isTypedId ? typedCategory.trim() : categoryId
  const options = categoryOptions(categories, number)
  const id = parseId(number)
  const isMissing = categories.isWhole && id !== undefined && categories.nameOf(id) === undefined
  const chosen = options.find(({ value }) => value === categoryId)
  const choose = (value: string) => set({ categoryId: value, typedCategory: undefined })
  const named = typedCategory === undefined ? undefined : namedCategory(options, typedCategory)

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || named === undefined) return
    // The next Enter saves.
    event.preventDefault()
    choose(named.value)
  }

  function onBlur() {
    if (named !== undefined) choose(named.value)
    else if (typedCategory?.trim() === '') set({ typedCategory: undefined })
  }

  return (
    <Select
      label="Category"
      placeholder="Choose, or type a number"
      value={categoryId === '' ? null : categoryId}
      description={isMissing && 'There is no category with this number. A pet may have it.'}
      error={error}
      onOptionSubmit={choose}
      searchValue={typedCategory ?? chosen?.label ?? ''}
      onInput={({ currentTarget }) => set({ typedCategory: currentTarget.value })}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
      data={options}
      filter={filterCategories}
      selectFirstOptionOnChange={named !== undefined}
      allowDeselect={false}
      openOnFocus={false}
      readOnly={readOnly}
      searchable
      limit={100}
      nothingFoundMessage="No matching category. Type a number to use it as the id."
    />
  )
}
