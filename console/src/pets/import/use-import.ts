import { useEffect, useRef, useState } from 'react'
import {
  type Currency,
  type ImportProgress,
  type ImportReport,
  PetstoreApiError,
} from '../../../../client/src/index.ts'
import { client } from '../../api/client.ts'
import { describeError } from '../../api/describe-error.ts'
import { noteChanges } from '../../api/following.ts'
import { formatCount } from '../../base/format.ts'

/** `refused` is a file of the refused rows; `storedBefore` counts the rows that earlier imports have stored. */
export type Result = { report: ImportReport; refused?: string | undefined; storedBefore: number }

export type ImportState =
  | { step: 'matching'; problem?: string }
  | { step: 'checking' }
  | ({ step: 'checked'; problem?: string } & Result)
  | { step: 'importing'; progress: ImportProgress }
  | ({ step: 'done' } & Result)

/** How the columns are matched, whether categories are added that do not exist, and what prices without a currency are in. */
type Query = {
  columns: string | undefined
  createCategories: boolean
  currency: Currency | undefined
}

/** Checks a file, then imports it. An import that was stopped goes on where it is started again. */
export function useImport(file: File) {
  const [state, setState] = useState<ImportState>({ step: 'matching' })
  const running = useRef<AbortController>(undefined)
  // Raised where the file is imported once more.
  const again = useRef(0)
  useEffect(() => () => running.current?.abort(), [])

  function begin(): AbortSignal {
    running.current?.abort()
    running.current = new AbortController()
    return running.current.signal
  }

  async function send(
    query: Query & { dryRun?: true },
    signal: AbortSignal,
    tell?: (progress: ImportProgress) => void,
  ): Promise<Result> {
    const result: Omit<Result, 'report'> = { storedBefore: 0 }
    const report = await client.pets.import(
      file,
      { ...query, onError: 'skip' },
      {
        signal,
        again: again.current,
        onProgress(progress) {
          result.storedBefore = progress.stored
          if (!signal.aborted) tell?.(progress)
        },
        onRefused: (csv) => {
          result.refused = csv
        },
      },
    )
    return { report, ...result }
  }

  async function check(query: Query) {
    const signal = begin()
    setState({ step: 'checking' })
    try {
      const result = await send({ ...query, dryRun: true }, signal)
      if (!signal.aborted) setState({ step: 'checked', ...result })
    } catch (error) {
      if (signal.aborted) return
      const isOfOthers =
        error instanceof PetstoreApiError && error.code === 'idempotency_key_reused'
      if (isOfOthers) again.current += 1
      const problem = isOfOthers
        ? 'These rows were imported before, with other columns. Check again to import them once more.'
        : describeError(error)
      setState({ step: 'matching', problem })
    }
  }

  async function start(query: Query, checked: Result) {
    const signal = begin()
    const { storedAt, ...report } = checked.report
    if (storedAt !== undefined) again.current += 1
    let far = ''
    try {
      const result = await send(query, signal, (progress) => {
        const { rows, stored } = progress
        if (stored > 0)
          far = ` ${formatCount(stored)} of ${formatCount(rows)} rows are stored; the same button goes on with the rest.`
        setState({ step: 'importing', progress })
      })
      if (!signal.aborted) setState({ step: 'done', ...result })
    } catch (error) {
      const problem = `${signal.aborted ? 'Stopped.' : describeError(error)}${far}`
      if (running.current?.signal === signal)
        setState({ ...checked, step: 'checked', report, problem })
    } finally {
      noteChanges(['pet', 'details'])
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
