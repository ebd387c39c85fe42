import { useEffect, useRef, useState } from 'react'
import type { ImportReport } from '../../../../client/src/index.ts'
import { client } from '../../api/client.ts'
import { describeError } from '../../api/describe-error.ts'
import { noteChanges } from '../../api/following.ts'
import { newIdempotencyKey } from '../../base/new-idempotency-key.ts'
import type { Preview } from './preview.ts'

export type ImportState =
  | { step: 'matching'; problem?: string }
  | { step: 'checking' }
  | { step: 'checked'; report: ImportReport; problem?: string }
  | { step: 'importing' }
  | { step: 'done'; report: ImportReport }

/** Checks a file, then imports it. An import that was stopped is repeated with its key. */
export function useImport(file: File, { type }: Pick<Preview, 'type'>) {
  const [state, setState] = useState<ImportState>({ step: 'matching' })
  const running = useRef<AbortController>(undefined)
  // One for each way in which the columns are matched: the same request goes on.
  const keys = useRef(new Map<string | undefined, string>())
  useEffect(() => () => running.current?.abort(), [])

  function begin(): AbortSignal {
    running.current?.abort()
    running.current = new AbortController()
    return running.current.signal
  }

  async function check(columns: string | undefined) {
    const signal = begin()
    setState({ step: 'checking' })
    try {
      const query = { columns, dryRun: true, onError: 'skip' } as const
      const report = await client.pets.import(file, query, { type, signal })
      if (!signal.aborted) setState({ step: 'checked', report })
    } catch (error) {
      if (!signal.aborted) setState({ step: 'matching', problem: describeError(error) })
    }
  }

  async function start(columns: string | undefined, checked: ImportReport) {
    const signal = begin()
    const idempotencyKey = keys.current.get(columns) ?? newIdempotencyKey()
    keys.current.set(columns, idempotencyKey)
    setState({ step: 'importing' })
    try {
      const query = { columns, onError: 'skip' } as const
      const report = await client.pets.import(file, query, { type, signal, idempotencyKey })
      if (!signal.aborted) setState({ step: 'done', report })
    } catch (error) {
      const problem = signal.aborted
        ? 'Stopped. Import again to see whether it was stored.'
        : describeError(error)
      if (running.current?.signal === signal)
        setState({ step: 'checked', report: checked, problem })
    } finally {
      noteChanges(['pet'])
    }
  }

  return {
    state,
    check,
    start,
    stop: () => running.current?.abort(),
    /** The columns are matched in another way. */
    reset() {
      running.current?.abort()
      setState({ step: 'matching' })
    },
  }
}
