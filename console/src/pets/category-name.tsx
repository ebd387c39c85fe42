import type { Int64 } from '../../../client/src/operation.ts'
import type { Categories } from '../api/categories.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from './pets-page.module.css'

/** The name of a category; its number where it has none. */
export function CategoryName({ id, categories }: { id: Int64; categories: Categories }) {
  const name = categories.nameOf(id)
  return name === undefined ? (
    <span className={classes.unnamed}>Category {String(id)}</span>
  ) : (
    <UserText text={name} />
  )
}
