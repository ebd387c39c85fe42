import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import { type Identified, indexOf } from './record-window.ts'
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

export type RowScroll = ReturnType<typeof useRowScroll>

/** Which rows are in view, and how to bring others there; fetches those around them. */
export function useRowScroll<T extends Identified>(list: RecordList<T>) {
  const { rows } = list.window
  const isPhone = useMediaQuery(onPhone, false, { getInitialValueInEffect: false })
  const { rowHeight, headHeight } = isPhone ? sizes.phone : sizes.desk
  const scroller = useRef<HTMLDivElement>(null)
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

  const indexes = virtualizer.getVirtualItems().map(({ index }) => index)
  const position = () => {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {}
    const first = Math.min(Math.floor(scrollTop / rowHeight), rows.length - 1)
    return { scrollTop, clientHeight, first: Math.max(0, first) }
  }
  const { first } = position()
  const firstId = rows[first]?.record.id
  useEffect(() => {
    list.setView({ firstId, isAtStart: first === 0 })
    if ((indexes[0] ?? 0) < fetchAhead) list.loadBefore()
    if ((indexes.at(-1) ?? 0) > rows.length - fetchAhead) list.loadAfter()
  })

  const show = (index: number) => virtualizer.scrollToIndex(index, { align: 'auto' })
  return {
    scroller,
    rowHeight,
    headHeight,
    /** The rows that are in the page: those in view, and some around them. */
    indexes,
    firstInView: () => position().first,
    pageSize: () => Math.max(1, Math.floor(position().clientHeight / rowHeight) - 2),
    show,
    /** Whether the row of this id is in view; scrolls to it where it is not. */
    reveal(id: Int64): boolean {
      const index = indexOf(rows, id)
      const { scrollTop, clientHeight } = position()
      const middle = (index + 0.5) * rowHeight - scrollTop
      const isInView = middle > 0 && middle < clientHeight - headHeight
      if (index !== -1 && !isInView) show(index)
      return isInView
    },
  }
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
