import { Button, Skeleton } from '@mantine/core'
import {
  type CSSProperties,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import { describeError } from '../api/describe-error.ts'
import { Notice } from '../shared/notice.tsx'
import type { RecordColumn } from './columns.ts'
import type { Grid } from './grid-keys.ts'
import { News } from './news.tsx'
import { RecordGrid } from './record-grid.tsx'
import classes from './record-table.module.css'
import { type Identified, indexOf } from './record-window.ts'
import { usePointerWithin } from './use-pointer-within.ts'
import type { RecordList } from './use-record-list.ts'
import { type RowScroll, useRowScroll } from './use-row-scroll.ts'

type Props<T extends Identified> = Omit<Grid<T>, 'scroll'> & {
  /** What it lists, such as `Pets`. */
  label: string
  columns: readonly RecordColumn<T>[]
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
  const isPointerOver = usePointerWithin(section)
  const [isFocusWithin, setIsFocusWithin] = useState(false)
  // A list that has the focus, but no row of it, is not being read.
  const isReading = isFocusWithin && activeId !== undefined
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only notes whether the focus is in it */}
      <div
        ref={scroll.scroller}
        className={classes.scroller}
        onFocus={() => setIsFocusWithin(true)}
        onBlur={() => setIsFocusWithin(false)}
      >
        {overlay && (
          <div
            key={String(overlay.id)}
            className={overlayTop === undefined ? classes.onTop : classes.overlay}
            style={{ top: overlayTop }}
          >
            {overlay.content}
          </div>
        )}
        <RecordGrid {...grid} scroll={scroll} />
        {overlayTop !== undefined && <div className={classes.roomForOverlay} />}
        {list.state === 'loading' && <SkeletonRows />}
      </div>
      <InsteadOfRows list={list} empty={empty} />
      <News list={list} isRead={isPointerOver || isReading} isCovered={overlay !== undefined} />
    </section>
  )
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

const skeletonRows = 14

/** Where rows will be, while the first of them are fetched. */
function SkeletonRows() {
  return (
    <div aria-hidden="true">
      {Array.from({ length: skeletonRows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={row} className={classes.skeletonRow}>
          <Skeleton height={12} width={`${45 + ((row * 7) % 40)}%`} />
          <Skeleton height={12} />
        </div>
      ))}
    </div>
  )
}
