import { useRef } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import type { RecordColumn } from './columns.ts'
import classes from './record-table.module.css'
import type { Identified, Row } from './record-window.ts'

/** The id of the element of a row. */
export function rowId(id: Int64): string {
  return `row-${id}`
}

type Props<T extends Identified> = {
  row: Row<T>
  columns: readonly RecordColumn<T>[]
  top: number
  isActive: boolean
  /** Undefined where rows cannot be chosen. */
  isChosen: boolean | undefined
  activate(id: Int64): void
  choose?: ((how: 'toggle' | 'extendTo') => void) | undefined
  open(record: T): void
}

/** One row. Its keys are those of the whole table, which has the focus. */
export function TableRow<T extends Identified>(props: Props<T>) {
  const { row, columns, top, isActive, isChosen, activate, choose, open } = props
  const { record, mark } = row
  // Of the last click: in Safari that is no pointer event.
  const pointer = useRef('')
  return (
    <div
      id={rowId(record.id)}
      role="row"
      className={classes.row}
      data-active={isActive || undefined}
      data-chosen={isChosen || undefined}
      data-mark={mark}
      aria-selected={isChosen ?? isActive}
      style={{ transform: `translateY(${top}px)` }}
      onPointerUp={({ pointerType }) => {
        pointer.current = pointerType
      }}
      // A click with Shift would mark the text between.
      onMouseDown={(event) => event.shiftKey && choose && event.preventDefault()}
      onClick={({ shiftKey, ctrlKey, metaKey }) => {
        activate(record.id)
        if (shiftKey || ctrlKey || metaKey) return choose?.(shiftKey ? 'extendTo' : 'toggle')
        // A finger has no double click.
        if (pointer.current === 'touch') open(record)
      }}
      onDoubleClick={() => open(record)}
    >
      {columns.map(({ id, phone, isOptional, cell }) => (
        <div
          key={id}
          role="gridcell"
          data-column={id}
          data-phone={phone}
          data-optional={isOptional}
        >
          {cell(row)}
        </div>
      ))}
    </div>
  )
}
