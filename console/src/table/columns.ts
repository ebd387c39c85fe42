import type { CSSProperties, ReactNode } from 'react'
import type { Identified, Row } from './record-window.ts'

/** A column of a list. Columns are constants: a cell that depends on more than its row is a component that asks for it. */
export type RecordColumn<T extends Identified> = {
  id: string
  header: string
  /** A track of a grid, where that is not the width of what the rows in the page have in it, up to a limit. */
  width?: string
  /**
   * Its place in the two lines that a row has on a phone: `title` and `aside` in the first, `detail` and `corner` in the
   * second, `choice` and `side` beside both. Without one it is left out there.
   */
  phone?: 'choice' | 'title' | 'aside' | 'detail' | 'corner' | 'side'
  /** Left out where the window is narrow. */
  isOptional?: boolean
  /** Its name is for those who hear it. */
  isHeaderHidden?: boolean
  /** In the header, in place of its name. */
  headCell?: ReactNode
  cell(row: Row<T>): ReactNode
}

/** Takes what the other columns leave. */
export const wide = 'minmax(8rem, 1fr)'

/** The widths of the columns for the style sheet of the table. */
export function columnWidths<T extends Identified>(
  columns: readonly RecordColumn<T>[],
): CSSProperties {
  const widthsOf = (shown: readonly RecordColumn<T>[]) =>
    shown.map(({ width = 'fit-content(19rem)' }) => width).join(' ')
  return {
    '--columns': widthsOf(columns),
    '--narrow-columns': widthsOf(columns.filter(({ isOptional }) => !isOptional)),
  } as CSSProperties
}
