import { VisuallyHidden } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import type { RecordColumn } from './columns.ts'
import { type Grid, onGridKey } from './grid-keys.ts'
import classes from './record-table.module.css'
import { type Identified, indexOf, type Row } from './record-window.ts'

type Props<T extends Identified> = Grid<T> & {
  label: string
  columns: readonly RecordColumn<T>[]
}

/** The names of the columns, and the rows in view. It has the focus for all rows. */
export function RecordGrid<T extends Identified>(grid: Props<T>) {
  const { label, list, columns, activeId, setActiveId, choice, scroll } = grid
  const { rows } = list.window
  const isActiveInPage = scroll.indexes.includes(indexOf(rows, activeId))
  const clickedId = useActiveShown(grid)
  function activate(id: Int64) {
    clickedId.current = id
    setActiveId(id)
  }
  return (
    <div
      role="grid"
      className={classes.grid}
      aria-label={label}
      aria-busy={list.state === 'loading' || list.isStale}
      aria-activedescendant={isActiveInPage && activeId !== undefined ? rowId(activeId) : undefined}
      aria-rowcount={-1}
      aria-multiselectable={choice !== undefined || undefined}
      tabIndex={0}
      onKeyDown={(event) => onGridKey(event, grid)}
    >
      <Head columns={columns} />
      <div
        role="rowgroup"
        className={list.isStale ? classes.staleBody : classes.body}
        style={{ height: rows.length * scroll.rowHeight }}
      >
        {scroll.indexes.map((index) => {
          const row = rows[index]
          return (
            row && (
              <TableRow
                key={String(row.record.id)}
                row={row}
                top={index * scroll.rowHeight}
                grid={grid}
                activate={activate}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

function Head<T extends Identified>({ columns }: { columns: readonly RecordColumn<T>[] }) {
  return (
    <div role="rowgroup" className={classes.head}>
      <div role="row" className={classes.headRow}>
        {columns.map(({ id, header, isOptional, isHeaderHidden }) => (
          <div key={id} role="columnheader" data-column={id} data-optional={isOptional}>
            {isHeaderHidden ? <VisuallyHidden>{header}</VisuallyHidden> : header}
          </div>
        ))}
      </div>
    </div>
  )
}

type RowProps<T extends Identified> = {
  row: Row<T>
  top: number
  grid: Props<T>
  activate(id: Int64): void
}

/** One row. Its keys are those of the whole grid, which has the focus. */
function TableRow<T extends Identified>({ row, top, grid, activate }: RowProps<T>) {
  const { columns, activeId, open, choice } = grid
  const { record, mark } = row
  const isActive = record.id === activeId
  const isChosen = choice?.has(record.id)
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
      onMouseDown={(event) => event.shiftKey && choice && event.preventDefault()}
      onClick={({ shiftKey, ctrlKey, metaKey }) => {
        activate(record.id)
        if (shiftKey || ctrlKey || metaKey)
          return choice?.[shiftKey ? 'extendTo' : 'toggle'](record)
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

/** The id of the element of a row. */
function rowId(id: Int64): string {
  return `row-${id}`
}

/**
 * Scrolls to the active row when it becomes another one, but not to the row that was clicked: it would move away from the
 * pointer before the second click. Returns where the id of that row is to be noted.
 */
function useActiveShown<T extends Identified>({ list, activeId, scroll }: Grid<T>) {
  const { rows } = list.window
  const hasRows = rows.length > 0
  const clickedId = useRef<Int64>(undefined)
  const showActive = useEffectEvent(() => {
    const index = indexOf(rows, activeId)
    if (index !== -1) scroll.show(index)
  })
  useEffect(() => {
    const isClicked = activeId === clickedId.current
    clickedId.current = undefined
    if (hasRows && !isClicked) showActive()
  }, [activeId, hasRows])
  return clickedId
}
