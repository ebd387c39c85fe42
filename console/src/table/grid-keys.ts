import type { KeyboardEvent } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import type { Choice } from './choice.tsx'
import { type Identified, indexOf } from './record-window.ts'
import type { RecordList } from './use-record-list.ts'
import type { RowScroll } from './use-row-scroll.ts'

/** A list of which one row is active, and some may be chosen. */
export type Grid<T extends Identified> = {
  list: RecordList<T>
  activeId: Int64 | undefined
  setActiveId(id: Int64): void
  /** Enter, or a click. */
  open(record: T): void
  /** Rows can be chosen. */
  choice: Choice<T> | undefined
  scroll: RowScroll
}

/** The keys of a grid: arrows, pages, first and last, Enter; Space, Ctrl+A and Escape choose rows. Other keys are the shortcuts of the page. */
export function onGridKey<T extends Identified>(event: KeyboardEvent, grid: Grid<T>): void {
  const { list, activeId, open, choice, scroll } = grid
  const { key, shiftKey, ctrlKey, metaKey, altKey, repeat } = event
  // Not those of a form within.
  if (event.target !== event.currentTarget || altKey) return
  const active = list.window.rows.find(({ record }) => record.id === activeId)?.record
  const withCtrl: Record<string, () => void> = { ...(choice && { a: choice.chooseAll }) }
  const alone: Record<string, () => void> = {
    ArrowDown: () => move(grid, 1, shiftKey),
    ArrowUp: () => move(grid, -1, shiftKey),
    PageDown: () => move(grid, scroll.pageSize()),
    PageUp: () => move(grid, -scroll.pageSize()),
    Home: () => goTo(grid, 'start'),
    End: () => goTo(grid, 'end'),
    Enter: () => {
      // Held since it saved a form.
      if (!repeat && active !== undefined) open(active)
    },
    ...(choice && {
      ' ': () => active !== undefined && choice.toggle(active),
      Escape: choice.clear,
    }),
  }
  const run = (ctrlKey || metaKey ? withCtrl : alone)[key]
  if (run === undefined) return
  event.preventDefault()
  run()
}

function move<T extends Identified>(grid: Grid<T>, step: number, isExtending = false): void {
  const { list, activeId, setActiveId, choice, scroll } = grid
  const { rows } = list.window
  const active = indexOf(rows, activeId)
  // What was active may be far away: begin with what is in view.
  const index =
    active === -1 ? scroll.firstInView() : Math.max(0, Math.min(rows.length - 1, active + step))
  const row = rows[index]
  if (row === undefined) return
  if (isExtending && active !== -1) {
    const from = rows[active]
    if (from !== undefined && !choice?.has(from.record.id)) choice?.extendTo(from.record)
    choice?.extendTo(row.record)
  }
  setActiveId(row.record.id)
  scroll.show(index)
}

function goTo<T extends Identified>(grid: Grid<T>, where: 'start' | 'end'): void {
  const { list, setActiveId, scroll } = grid
  const { rows, hasBefore, hasAfter } = list.window
  if (where === 'start' ? hasBefore : hasAfter) {
    list.begin(where)
    return
  }
  const index = where === 'start' ? 0 : rows.length - 1
  const row = rows[index]
  if (row === undefined) return
  setActiveId(row.record.id)
  scroll.show(index)
}
