import type { KeyboardEvent, RefObject } from 'react'
import type { Int64 } from '../../../client/src/operation.ts'
import { type Identified, indexOf } from './record-window.ts'
import type { RecordList } from './use-record-list.ts'

type Options<T extends Identified> = {
  list: RecordList<T>
  activeId: Int64 | undefined
  setActiveId(id: Int64): void
  open(record: T): void
  show(index: number): void
  rowHeight: number
  scroller: RefObject<HTMLDivElement | null>
}

/** The keys of a grid: arrows, pages, first and last, Enter. Other keys are the shortcuts of the page. */
export function useGridKeys<T extends Identified>(options: Options<T>) {
  const { list, activeId, setActiveId, open, show, rowHeight, scroller } = options
  const { rows, hasBefore, hasAfter } = list.window

  function move(step: number) {
    const active = activeId === undefined ? -1 : indexOf(rows, activeId)
    // What was active may be far away: begin with what is in view.
    const inView = Math.floor((scroller.current?.scrollTop ?? 0) / rowHeight)
    const index = active === -1 ? inView : Math.max(0, Math.min(rows.length - 1, active + step))
    const row = rows[index]
    if (row === undefined) return
    setActiveId(row.record.id)
    show(index)
  }

  function goTo(where: 'start' | 'end') {
    if (where === 'start' ? hasBefore : hasAfter) {
      list.begin(where)
      return
    }
    const row = where === 'start' ? rows[0] : rows.at(-1)
    if (row === undefined) return
    setActiveId(row.record.id)
    show(where === 'start' ? 0 : rows.length - 1)
  }

  return (event: KeyboardEvent) => {
    // Not those of a form within.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey)
      return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const actions: Record<string, () => void> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      PageDown: () => move(page),
      PageUp: () => move(-page),
      Home: () => goTo('start'),
      End: () => goTo('end'),
      Enter: () => {
        // Held since it saved a form.
        if (event.repeat) return
        const row = rows.find(({ record }) => record.id === activeId)
        if (row !== undefined) open(row.record)
      },
    }
    const action = actions[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  }
}
