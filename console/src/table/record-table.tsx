import { Button, Skeleton } from '@mantine/core'
import {
  type CSSProperties,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
} from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import { describeError } from '../api/describe-error.ts'
import { Notice } from '../shared/notice.tsx'
import { columnWidths, type RecordColumn } from './columns.ts'
import { type Grid, onGridKey } from './grid-keys.ts'
import { News } from './news.tsx'
import classes from './record-table.module.css'
import { type Identified, indexOf, type Row } from './record-window.ts'
import type { RecordList } from './use-record-list.ts'
import { type RowScroll, useRowScroll } from './use-row-scroll.ts'

type GridProps<T extends Identified> = Grid<T> & {
  /** What it lists, such as `Pets`. */
  label: string
  columns: readonly RecordColumn<T>[]
  isCovered: boolean
}

type Props<T extends Identified> = Omit<GridProps<T>, 'scroll' | 'isCovered'> & {
  /** What is shown where there are no rows. */
  empty: ReactNode
  ref?: Ref<TableHandle>
  /** What lies over the rows: at that of its id, or on top where it has none, or another list is shown. */
  overlay?: { id: Int64 | undefined; content: ReactNode } | undefined
}

export type TableHandle = Pick<RowScroll, 'reveal'>

/** A list of any length: only the rows in view are in the page, and rows never move under the pointer. */
export function RecordTable<T extends Identified>({ empty, ref, overlay, ...grid }: Props<T>) {
  const { label, list, activeId } = grid
  const scroll = useRowScroll(list)
  useImperativeHandle(ref, () => scroll)
  const section = useRef<HTMLElement>(null)
  // A list that has the focus, but no row of it, is not being read.
  const reading = activeId === undefined ? ':hover' : ':is(:hover, :focus-within)'
  const { rowHeight, headHeight } = scroll
  const sizes = { '--row-height': `${rowHeight}px`, '--head-height': `${headHeight}px` }
  const overlayIndex = indexOf(list.window.rows, overlay?.id)
  const overlayTop = overlayIndex === -1 ? undefined : headHeight + overlayIndex * rowHeight

  return (
    <section
      ref={section}
      className={classes.table}
      aria-label={label}
      style={sizes as CSSProperties}
    >
      <div ref={scroll.scroller} className={classes.scroller}>
        {overlay && (
          <div
            key={String(overlay.id)}
            className={overlayTop === undefined ? classes.onTop : classes.overlay}
            style={{ top: overlayTop }}
          >
            {overlay.content}
          </div>
        )}
        <RecordGrid {...grid} scroll={scroll} isCovered={overlay !== undefined} />
        {overlayTop !== undefined && <div className={classes.roomForOverlay} />}
        {list.state === 'loading' && <SkeletonRows />}
      </div>
      <InsteadOfRows list={list} empty={empty} />
      <News
        list={list}
        isRead={() => section.current?.matches(reading) ?? false}
        isCovered={overlay !== undefined}
      />
    </section>
  )
}

/** The names of the columns, and the rows in view. It has the focus for all rows. */
function RecordGrid<T extends Identified>(grid: GridProps<T>) {
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
            {headCell ?? (
              <span className={isHeaderHidden ? 'only-heard' : undefined}>{header}</span>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

type RowProps<T extends Identified> = { row: Row<T>; index: number; grid: GridProps<T> }

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

/** Scrolls to the active row when it becomes another one, and when a form, which may be long, was opened there or closed. */
function useActiveShown<T extends Identified>(grid: GridProps<T>): void {
  const { list, activeId, scroll, isCovered } = grid
  const { rows } = list.window
  const hasRows = rows.length > 0
  const showActive = useEffectEvent(() => {
    const index = indexOf(rows, activeId)
    if (index !== -1) scroll.show(index)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another active row is shown
  useEffect(() => {
    if (hasRows) showActive()
  }, [activeId, hasRows, isCovered])
}

type InsteadProps = { list: RecordList<Identified>; empty: ReactNode }

/** Covers the rows where they could not be loaded, or where there are none. */
function InsteadOfRows({ list, empty }: InsteadProps) {
  if (list.state === 'failed') {
    return (
      <div className={classes.instead}>
        <Notice title="The list could not be loaded" text={describeError(list.error)} isAlert>
          <Button onClick={list.retry}>Try again</Button>
        </Notice>
      </div>
    )
  }
  const isEmpty = list.state === 'ready' && !list.isStale && list.window.rows.length === 0
  return isEmpty && <div className={classes.instead}>{empty}</div>
}

const skeletonRows = 12

/** Where rows will be, while the first of them are fetched. */
function SkeletonRows() {
  return (
    <div aria-hidden="true">
      {Array.from({ length: skeletonRows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <Skeleton key={row} height={12} width={`${45 + ((row * 7) % 40)}%`} mx="1.25rem" my={32} />
      ))}
    </div>
  )
}
