import { VisuallyHidden } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import type { RecordColumn } from './columns.ts'
import { type Grid, onGridKey } from './grid-keys.ts'
import classes from './record-table.module.css'
import { type Identified, indexOf } from './record-window.ts'
import { rowId, TableRow } from './table-row.tsx'

type Props<T extends Identified> = Grid<T> & {
  label: string
  columns: readonly RecordColumn<T>[]
}

/** The names of the columns, and the rows in view. It has the focus for all rows. */
export function RecordGrid<T extends Identified>(grid: Props<T>) {
  const { label, list, columns, activeId, setActiveId, open, choice, scroll } = grid
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
                columns={columns}
                top={index * scroll.rowHeight}
                isActive={row.record.id === activeId}
                isChosen={choice?.has(row.record.id)}
                choose={choice && ((how) => choice[how](row.record))}
                activate={activate}
                open={open}
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
