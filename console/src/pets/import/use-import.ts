import { useEffect, useRef, useState } from 'react'
import {
  type ImportProgress,
  type ImportReport,
  PetstoreApiError,
} from '../../../../client/src/index.ts'
import { client } from '../../api/client.ts'
import { describeError } from '../../api/describe-error.ts'
import { noteChanges } from '../../api/following.ts'
import type { Preview } from './preview.ts'

/** `refused` is a file of the refused rows. */
type Result = { report: ImportReport; refused?: string | undefined }

export type ImportState =
  | { step: 'matching'; problem?: string }
  | { step: 'checking' }
  | ({ step: 'checked'; problem?: string } & Result)
  | { step: 'importing'; progress: ImportProgress }
  | ({ step: 'done' } & Result)

/** Checks a file, then imports it. An import that was stopped goes on where it is started again. */
export function useImport(file: File, { type }: Pick<Preview, 'type'>) {
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
    query: { columns: string | undefined; dryRun?: true },
    signal: AbortSignal,
    onProgress?: (progress: ImportProgress) => void,
  ): Promise<Result> {
    const refused: string[] = []
    const report = await client.pets.import(
      file,
      { ...query, onError: 'skip' },
      { type, signal, again: again.current, onProgress, onRefused: (csv) => refused.push(csv) },
    )
    return { report, refused: refused[0] }
  }

  async function check(columns: string | undefined) {
    const signal = begin()
    setState({ step: 'checking' })
    try {
      const result = await send({ columns, dryRun: true }, signal)
      if (!signal.aborted) setState({ step: 'checked', ...result })
    } catch (error) {
      if (signal.aborted) return
      const isOfOthers =
        error instanceof PetstoreApiError && error.code === 'idempotency_key_reused'
      if (isOfOthers) again.current += 1
      const problem = isOfOthers
        ? 'These rows are imported already, with other columns. Check again to import them once more.'
        : describeError(error)
      setState({ step: 'matching', problem })
    }
  }

  async function start(columns: string | undefined, checked: Result) {
    const signal = begin()
    const { storedAt, ...report } = checked.report
    if (storedAt !== undefined) again.current += 1
    const show = (progress: ImportProgress) => setState({ step: 'importing', progress })
    try {
      const result = await send({ columns }, signal, (progress) => signal.aborted || show(progress))
      if (!signal.aborted) setState({ step: 'done', ...result })
    } catch (error) {
      const problem = signal.aborted
        ? 'Stopped. What was imported stays; import again to go on with the rest.'
        : describeError(error)
      if (running.current?.signal === signal)
        setState({ ...checked, step: 'checked', report, problem })
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
