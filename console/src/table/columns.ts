import type { CSSProperties, ReactNode } from 'react'
import type { Identified, Row } from './record-window.ts'

/** A column of a list. Columns are constants: a cell that depends on more than its row is a component that asks for it. */
export type RecordColumn<T extends Identified> = {
  id: string
  header: string
  /** Such as `6rem` or `minmax(8rem, 2fr)`. */
  width: string
  /**
   * Its place in the two lines that a row has on a phone: `title` and `aside` in the first, `detail` and `corner` in the
   * second. Without one it is left out there.
   */
  phone?: 'title' | 'aside' | 'detail' | 'corner'
  /** Left out where the window is narrow. */
  isOptional?: boolean
  /** Its name is for those who hear it. */
  isHeaderHidden?: boolean
  cell(row: Row<T>): ReactNode
}

/** The widths of the columns for the style sheet of the table. */
export function columnWidths<T extends Identified>(
  columns: readonly RecordColumn<T>[],
): CSSProperties {
  const widthsOf = (shown: readonly RecordColumn<T>[]) => shown.map(({ width }) => width).join(' ')
  return {
    '--columns': widthsOf(columns),
    '--narrow-columns': widthsOf(columns.filter(({ isOptional }) => !isOptional)),
  } as CSSProperties
}
