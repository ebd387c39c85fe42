import type { Pet } from '../../../client/src/generated/records.ts'
import type { Categories } from '../api/categories.ts'
import type { Versions } from '../shared/conflict.tsx'
import { parseId } from '../shared/int64-text.ts'
import { UserText } from '../shared/user-text.tsx'
import { CategoryName } from './category-name.tsx'
import { draftOf, type PetDraft } from './pet-draft.ts'
import { PetStatusBadge } from './pet-status-badge.tsx'

/** My version of a pet beside theirs. */
export function petVersions(mine: PetDraft, pet: Pet, categories: Categories): Versions[] {
  const theirs = draftOf(pet)
  const nameOf = ({ name }: PetDraft) => <UserText text={name} isWhole />
  const categoryOf = ({ category }: PetDraft) => (
    <CategoryName id={parseId(category) ?? pet.categoryId} categories={categories} />
  )
  const statusOf = ({ status }: PetDraft) => <PetStatusBadge status={status} />
  return [
    versionsOf('Name', 'name', nameOf),
    versionsOf('Category', 'category', categoryOf),
    versionsOf('Status', 'status', statusOf),
  ]

  function versionsOf(
    label: string,
    member: keyof PetDraft,
    show: (draft: PetDraft) => Versions['mine'],
  ): Versions {
    return {
      label,
      mine: show(mine),
      theirs: show(theirs),
      differs: mine[member] !== theirs[member],
    }
  }
}
