import { Button, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import { describeError } from '../api/describe-error.ts'
import { Notice } from '../shared/notice.tsx'
import { columnWidths, type RecordColumn } from './columns.ts'
import { News } from './news.tsx'
import classes from './record-table.module.css'
import { type Identified, indexOf, isUnsettled } from './record-window.ts'
import { SkeletonRows } from './skeleton-rows.tsx'
import { rowId, TableRow } from './table-row.tsx'
import { type Grid, useGridKeys } from './use-grid-keys.ts'
import { usePointerWithin } from './use-pointer-within.ts'
import type { RecordList } from './use-record-list.ts'

/** How many rows before the end of those that are held the next ones are fetched. */
const fetchAhead = 60
const overscan = 12

const onPhone = '(max-width: 48em)'
/** A phone does not show the names of the columns. */
const sizes = {
  phone: { rowHeight: 62, headHeight: 0 },
  desk: { rowHeight: 44, headHeight: 40 },
}

type Props<T extends Identified> = Grid<T> & {
  /** What it lists, such as `Pets`. */
  label: string
  columns: readonly RecordColumn<T>[]
  /** What is shown where there are no rows. */
  empty: ReactNode
  ref?: Ref<TableHandle>
  /** What lies over the rows: at that of its id, or on top where it has none, or another list is shown. */
  overlay?: { id: Int64 | undefined; content: ReactNode } | undefined
}

export type TableHandle = {
  /** Whether the row of this id is in view; scrolls to it where it is not. */
  reveal(id: Int64): boolean
}

/** A list of any length: only the rows in view are in the page, and rows never move under the pointer. */
export function RecordTable<T extends Identified>(props: Props<T>) {
  const { label, list, columns, overlay, activeId, setActiveId, open, choice, empty, ref } = props
  const { rowHeight, headHeight } = useMediaQuery(onPhone, false, {
    getInitialValueInEffect: false,
  })
    ? sizes.phone
    : sizes.desk
  const { window, state, isStale } = list
  const { rows } = window
  const scroller = useRef<HTMLDivElement>(null)
  const section = useRef<HTMLElement>(null)
  const isPointerOver = usePointerWithin(section)
  const [isFocusWithin, setIsFocusWithin] = useState(false)

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => String(rows[index]?.record.id ?? index),
    overscan,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured anew
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  useStableScroll(scroller, list, rowHeight)

  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  const inView = firstInView(scroller.current, rowHeight, rows.length)
  const anchorId = rows[inView]?.record.id

  useEffect(() => {
    list.setView({ firstId: anchorId, isAtStart: inView === 0 })
    if (first < fetchAhead) list.loadBefore()
    if (last > rows.length - fetchAhead) list.loadAfter()
  })
  // A list that has the focus, but no row of it, is not being read.
  const isReading = isFocusWithin && activeId !== undefined
  const mayMove = !isPointerOver && !isReading && overlay === undefined
  const hasNews = isUnsettled(window)
  // Who reads the first row sees what comes in front of it.
  const isAtTop = inView === 0 && (scroller.current?.scrollTop ?? 0) < rowHeight / 2
  const kept = isAtTop ? undefined : anchorId
  const settle = () => list.settle(kept)
  useEffect(() => {
    if (mayMove && hasNews) list.settle(kept)
  }, [mayMove, hasNews, list.settle, kept])

  const show = (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' })
  useImperativeHandle(ref, () => ({
    reveal(id) {
      const index = indexOf(rows, id)
      const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {}
      const middle = (index + 0.5) * rowHeight - scrollTop
      const isInView = middle > 0 && middle < clientHeight - headHeight
      if (index !== -1 && !isInView) show(index)
      return isInView
    },
  }))
  const onKeyDown = useGridKeys({ ...props, show, rowHeight, scroller })
  const activeIndex = indexOf(rows, activeId)
  const clickedId = useActiveShown(activeId, rows.length > 0, () => {
    if (activeIndex !== -1) show(activeIndex)
  })
  const onRowClick = (id: Int64) => {
    clickedId.current = id
    setActiveId(id)
  }

  const overlayIndex = indexOf(rows, overlay?.id)
  const isActiveShown = activeIndex >= first && activeIndex <= last

  return (
    <section
      ref={section}
      className={classes.table}
      aria-label={label}
      style={
        {
          '--row-height': `${rowHeight}px`,
          '--head-height': `${headHeight}px`,
          ...columnWidths(columns),
        } as CSSProperties
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only notes whether the focus is in it */}
      <div
        ref={scroller}
        className={classes.scroller}
        onFocus={() => setIsFocusWithin(true)}
        onBlur={() => setIsFocusWithin(false)}
      >
        {overlay !== undefined && (
          <div
            className={overlayIndex === -1 ? classes.onTop : classes.overlay}
            style={overlayIndex === -1 ? {} : { top: headHeight + overlayIndex * rowHeight }}
          >
            {overlay.content}
          </div>
        )}
        <div
          role="grid"
          className={classes.grid}
          aria-label={label}
          aria-busy={state === 'loading' || isStale}
          aria-activedescendant={
            isActiveShown && activeId !== undefined ? rowId(activeId) : undefined
          }
          aria-rowcount={-1}
          aria-multiselectable={choice !== undefined || undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
        >
          <div role="rowgroup" className={classes.head}>
            <div role="row" className={classes.headRow}>
              {columns.map(({ id, header, isOptional, isHeaderHidden }) => (
                <div key={id} role="columnheader" data-column={id} data-optional={isOptional}>
                  {isHeaderHidden ? <VisuallyHidden>{header}</VisuallyHidden> : header}
                </div>
              ))}
            </div>
          </div>
          <div
            role="rowgroup"
            className={isStale ? classes.staleBody : classes.body}
            style={{ height: rows.length * rowHeight }}
          >
            {items.map(({ index }) => {
              const row = rows[index]
              return (
                row && (
                  <TableRow
                    key={String(row.record.id)}
                    row={row}
                    columns={columns}
                    top={index * rowHeight}
                    isActive={row.record.id === activeId}
                    isChosen={choice?.has(row.record.id)}
                    choose={choice && ((how) => choice[how](row.record))}
                    activate={onRowClick}
                    open={open}
                  />
                )
              )
            })}
          </div>
        </div>
        {overlayIndex !== -1 && <div className={classes.roomForOverlay} />}
        {state === 'loading' && <SkeletonRows columns={columns.length} />}
      </div>
      {state === 'failed' && (
        <div className={classes.instead}>
          <Notice title="The list could not be loaded" text={describeError(list.error)} isAlert>
            <Button onClick={list.retry}>Try again</Button>
          </Notice>
        </div>
      )}
      {state === 'ready' && !isStale && rows.length === 0 && (
        <div className={classes.instead}>{empty}</div>
      )}
      <News window={window} isShown={hasNews && !mayMove && overlay === undefined} show={settle} />
    </section>
  )
}

/** Keeps the scroll position of what is read while rows are added or dropped in front of it. */
function useStableScroll<T>(
  scroller: RefObject<HTMLDivElement | null>,
  { name, isStale, beginning, window: { firstIndex } }: RecordList<T>,
  rowHeight: number,
): void {
  const last = useRef({ name, firstIndex })
  useLayoutEffect(() => {
    if (isStale) return
    const moved = firstIndex - last.current.firstIndex
    const isNew = name !== last.current.name
    last.current = { name, firstIndex }
    if (scroller.current === null) return
    if (isNew) scroller.current.scrollTop = beginning === 'end' ? scroller.current.scrollHeight : 0
    else if (moved !== 0) scroller.current.scrollTop -= moved * rowHeight
  }, [scroller, name, isStale, beginning, firstIndex, rowHeight])
}

function firstInView(scroller: HTMLDivElement | null, rowHeight: number, count: number): number {
  const index = Math.floor((scroller?.scrollTop ?? 0) / rowHeight)
  return Math.max(0, Math.min(index, count - 1))
}

/**
 * Scrolls to the active row when it becomes another one, but not to the row that was clicked: it would move away from the
 * pointer before the second click. Returns where the id of that row is to be noted.
 */
function useActiveShown(
  activeId: Int64 | undefined,
  hasRows: boolean,
  show: () => void,
): RefObject<Int64 | undefined> {
  const clickedId = useRef<Int64>(undefined)
  const latest = useRef(show)
  latest.current = show
  useEffect(() => {
    const isClicked = activeId === clickedId.current
    clickedId.current = undefined
    if (activeId !== undefined && hasRows && !isClicked) latest.current()
  }, [activeId, hasRows])
  return clickedId
}
