import type { KeyboardEvent, RefObject } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import type { Choice } from './choice.tsx'
import { type Identified, indexOf } from './record-window.ts'
import type { RecordList } from './use-record-list.ts'

/** A list of which one row is active, and some may be chosen. */
export type Grid<T extends Identified> = {
  list: RecordList<T>
  activeId: Int64 | undefined
  setActiveId(id: Int64): void
  /** Enter, or a double click. */
  open(record: T): void
  /** Rows can be chosen. */
  choice?: Choice<T> | undefined
  chooseAll?: (() => void) | undefined
}

type Options<T extends Identified> = Grid<T> & {
  show(index: number): void
  rowHeight: number
  scroller: RefObject<HTMLDivElement | null>
}

/** The keys of a grid: arrows, pages, first and last, Enter; Space, Ctrl+A and Escape choose rows. Other keys are the shortcuts of the page. */
export function useGridKeys<T extends Identified>(options: Options<T>) {
  const { list, activeId, setActiveId, open, show, rowHeight, scroller, choice } = options
  const { rows, hasBefore, hasAfter } = list.window

  function move(step: number, isExtending = false) {
    const active = indexOf(rows, activeId)
    // What was active may be far away: begin with what is in view.
    const inView = Math.floor((scroller.current?.scrollTop ?? 0) / rowHeight)
    const index = active === -1 ? inView : Math.max(0, Math.min(rows.length - 1, active + step))
    const row = rows[index]
    if (row === undefined) return
    if (isExtending && active !== -1) {
      const from = rows[active]
      if (from !== undefined && !choice?.has(from.record.id)) choice?.extendTo(from.record)
      choice?.extendTo(row.record)
    }
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
    if (event.target !== event.currentTarget || event.altKey) return
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== 'a' || options.chooseAll === undefined) return
      event.preventDefault()
      options.chooseAll()
      return
    }
    const activeRecord = rows.find(({ record }) => record.id === activeId)?.record
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const actions: Record<string, () => void> = {
      ArrowDown: () => move(1, event.shiftKey),
      ArrowUp: () => move(-1, event.shiftKey),
      PageDown: () => move(page),
      PageUp: () => move(-page),
      Home: () => goTo('start'),
      End: () => goTo('end'),
      Enter: () => {
        // Held since it saved a form.
        if (!event.repeat && activeRecord !== undefined) open(activeRecord)
      },
      ...(choice && {
        ' ': () => activeRecord !== undefined && choice.toggle(activeRecord),
        Escape: choice.clear,
      }),
    }
    const action = actions[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  }
}
