import { VisuallyHidden } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import { columnWidths, type RecordColumn } from './columns.ts'
import { type Grid, onGridKey } from './grid-keys.ts'
import classes from './record-table.module.css'
import { type Identified, indexOf, type Row } from './record-window.ts'

type Props<T extends Identified> = Grid<T> & {
  label: string
  columns: readonly RecordColumn<T>[]
}

/** The names of the columns, and the rows in view. It has the focus for all rows. */
export function RecordGrid<T extends Identified>(grid: Props<T>) {
  const { label, list, columns, activeId, choice, scroll } = grid
  const { rows } = list.window
  const { rowHeight, headHeight } = scroll
  const isActiveInPage = scroll.indexes.includes(indexOf(rows, activeId))
  useActiveShown(grid)
  return (
    <div
      role="grid"
      className={classes.grid}
      style={{ ...columnWidths(columns), minHeight: headHeight + rows.length * rowHeight }}
      aria-label={label}
      aria-busy={list.state === 'loading' || list.isStale}
      data-stale={list.isStale || undefined}
      aria-activedescendant={isActiveInPage && activeId !== undefined ? rowId(activeId) : undefined}
      aria-rowcount={-1}
      aria-multiselectable={choice !== undefined || undefined}
      tabIndex={0}
      onKeyDown={(event) => onGridKey(event, grid)}
    >
      <Head columns={columns} rows={rows.length} />
      <div role="rowgroup" className={classes.group}>
        {scroll.indexes.map((index) => {
          const row = rows[index]
          return row && <TableRow key={String(row.record.id)} row={row} index={index} grid={grid} />
        })}
      </div>
    </div>
  )
}

type HeadProps<T extends Identified> = { columns: readonly RecordColumn<T>[]; rows: number }

function Head<T extends Identified>({ columns, rows }: HeadProps<T>) {
  return (
    <div role="rowgroup" className={classes.group}>
      {/* It stays on top within the rows that its area spans. */}
      <div role="row" className={classes.headRow} style={{ gridRow: `1 / span ${rows + 1}` }}>
        {columns.map(({ id, header, isOptional, isHeaderHidden, headCell }) => (
          <div key={id} role="columnheader" data-column={id} data-optional={isOptional}>
            {headCell ?? (isHeaderHidden ? <VisuallyHidden>{header}</VisuallyHidden> : header)}
          </div>
        ))}
      </div>
    </div>
  )
}

type RowProps<T extends Identified> = { row: Row<T>; index: number; grid: Props<T> }

/** One row. Its keys are those of the whole grid, which has the focus. */
function TableRow<T extends Identified>({ row, index, grid }: RowProps<T>) {
  const { columns, activeId, setActiveId, open, choice } = grid
  const { record, mark } = row
  const isActive = record.id === activeId
  const isChosen = choice?.has(record.id)
  return (
    <div
      id={rowId(record.id)}
      role="row"
      className={classes.row}
      data-active={isActive || undefined}
      data-chosen={isChosen || undefined}
      data-mark={mark}
      aria-selected={isChosen ?? isActive}
      style={{ gridRow: index + 2 }}
      // A click with Shift would mark the text between.
      onMouseDown={(event) => event.shiftKey && choice && event.preventDefault()}
      onClick={({ shiftKey, ctrlKey, metaKey }) => {
        // Who marks text wants to copy it.
        if (getSelection()?.isCollapsed === false) return
        setActiveId(record.id)
        if (choice && (shiftKey || ctrlKey || metaKey))
          choice[shiftKey ? 'extendTo' : 'toggle'](record)
        else open(record)
      }}
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

/** Scrolls to the active row when it becomes another one. */
function useActiveShown<T extends Identified>({ list, activeId, scroll }: Grid<T>): void {
  const { rows } = list.window
  const hasRows = rows.length > 0
  const showActive = useEffectEvent(() => {
    const index = indexOf(rows, activeId)
    if (index !== -1) scroll.show(index)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another active row is shown
  useEffect(() => {
    if (hasRows) showActive()
  }, [activeId, hasRows])
}
