import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { leaveForm } from '../shared/unsaved.ts'
import type { Identified } from './record-window.ts'

/** What is open in a page: a record, or a form for a new one. */
type Opening<T> = { record?: T }

/** Opens one record at a time. Another one takes its place once a form with typed text may be closed. */
export function useOpened<T extends Identified>(isAddingFirst: boolean) {
  const [opened, setOpened] = useState<Opening<T> | undefined>(isAddingFirst ? {} : undefined)
  const shown = useRef<Opening<T>>(undefined)
  useLayoutEffect(() => {
    shown.current = opened
    return () => {
      shown.current = undefined
    }
  }, [opened])

  const openRecord = useCallback((record: T) => {
    if (shown.current?.record?.id !== record.id) leaveForm(() => setOpened({ record }))
  }, [])
  return {
    opened,
    openRecord,
    startAdding: () => setOpened({}),
    close: () => setOpened(undefined),
    /** Whether what was open in this render still is: a form may have been left while it was saved. */
    isStillOpen: () => shown.current === opened,
  }
}
