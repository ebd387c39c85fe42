import { Button } from '@mantine/core'
import type { Pet } from '../../../client/src/generated/records.ts'
import type { Categories } from '../api/categories.ts'
import { parseId } from '../shared/int64-text.ts'
import { UserText } from '../shared/user-text.tsx'
import { CategoryName } from './category-name.tsx'
import { draftOf, type PetDraft } from './pet-draft.ts'
import classes from './pet-editor.module.css'
import { PetStatusBadge } from './pet-status-badge.tsx'

type Props = {
  mine: PetDraft
  theirs: Pet
  categories: Categories
  takeTheirs(): void
  keepMine(): void
  edit(): void
}

/** Somebody else changed the pet: shows both versions, and asks which one is to be. */
export function PetConflict({ mine, theirs, categories, takeTheirs, keepMine, edit }: Props) {
  const versions = [mine, draftOf(theirs)]
  const members = [
    { name: 'name', label: 'Name', show: ({ name }: PetDraft) => <UserText text={name} isWhole /> },
    {
      name: 'category',
      label: 'Category',
      show: ({ category }: PetDraft) => (
        <CategoryName id={parseId(category) ?? theirs.categoryId} categories={categories} />
      ),
    },
    {
      name: 'status',
      label: 'Status',
      show: ({ status }: PetDraft) => <PetStatusBadge status={status} />,
    },
  ] as const
  return (
    <>
      <p role="alert" className={classes.problem}>
        Somebody else changed this pet while you did. Nothing of yours is saved yet: choose what it
        is to be.
      </p>
      <table className={classes.versions}>
        <thead>
          <tr>
            <td />
            <th scope="col">Yours</th>
            <th scope="col">Theirs, saved</th>
          </tr>
        </thead>
        <tbody>
          {members.map(({ name, label, show }) => (
            <tr key={name} data-differs={mine[name] !== draftOf(theirs)[name] || undefined}>
              <th scope="row">{label}</th>
              {versions.map((version, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: there are two, yours and theirs
                <td key={index}>{show(version)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <footer className={classes.buttons}>
        <Button onClick={keepMine} autoFocus>
          Save mine
        </Button>
        <Button variant="default" onClick={takeTheirs}>
          Keep theirs
        </Button>
        <Button variant="subtle" onClick={edit}>
          Edit on
        </Button>
      </footer>
    </>
  )
}
