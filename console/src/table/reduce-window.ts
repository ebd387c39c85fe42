import type { Int64 } from '../../../client/src/operation.ts'
import {
  append,
  type Identified,
  insert,
  markGone,
  type Order,
  type Poll,
  prepend,
  put,
  type RecordWindow,
  refresh,
  settle,
} from './record-window.ts'

/** What can happen to a window. */
export type Change<T> =
  | { type: 'before' | 'after'; records: readonly T[]; isFull: boolean }
  | { type: 'poll'; poll: Poll<T> }
  | { type: 'settle'; order: Order; anchorId: Int64 | undefined }
  | { type: 'put'; record: T }
  | { type: 'insert'; record: T; order: Order }
  | { type: 'gone'; id: Int64 }

/** A window, and the name of the list that it was begun with. */
type Named<T> = { name: string; window: RecordWindow<T> }

type Action<T> =
  | { type: 'start'; name: string; window: RecordWindow<T> }
  | { type: 'change'; name: string; change: Change<T> }

/** The window after an action. What concerns another list, left in the meantime, changes nothing. */
export function reduceWindow<T extends Identified>(
  state: Named<T> | undefined,
  action: Action<T>,
): Named<T> | undefined {
  if (action.type === 'start') return { name: action.name, window: action.window }
  if (state?.name !== action.name) return state
  const window = changed(state.window, action.change)
  return window === state.window ? state : { ...state, window }
}

function changed<T extends Identified>(
  window: RecordWindow<T>,
  change: Change<T>,
): RecordWindow<T> {
  switch (change.type) {
    case 'before':
      return prepend(window, change.records, { hasBefore: change.isFull })
    case 'after':
      return append(window, change.records, { hasAfter: change.isFull })
    case 'poll':
      return refresh(window, change.poll)
    case 'settle':
      return settle(window, change.order, change.anchorId)
    case 'put':
      return put(window, change.record)
    case 'insert':
      return insert(window, change.record, change.order)
    case 'gone':
      return markGone(window, change.id)
  }
}
