import type { Int64 } from '../../../client/src/index.ts'
import { useCategoryNames } from '../api/categories.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'

/** The name of a category; its number where it has none. */
export function CategoryName({ id }: { id: Int64 }) {
  const name = useCategoryNames()(id)
  return name === undefined ? (
    <span className={classes.quiet}>Category {String(id)}</span>
  ) : (
    <UserText text={name} />
  )
}
