import type { ReactNode } from 'react'
import classes from './filters.module.css'

/** What limits and orders a list; all of it stands in the address. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <search className={classes.filters} aria-label="Filters">
      {children}
    </search>
  )
}
