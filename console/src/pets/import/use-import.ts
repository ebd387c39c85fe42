import { useEffect, useRef, useState } from 'react'
import type { ImportReport } from '../../../../client/src/index.ts'
import { client, reader } from '../../api/client.ts'
import { describeError } from '../../api/describe-error.ts'
import { noteChanges } from '../../api/following.ts'
import { newIdempotencyKey } from '../../base/new-idempotency-key.ts'
import { pause } from '../../base/pause.ts'
import type { Preview } from './preview.ts'

type Progress = { rows: number; all: number; perSecond: number }

export type ImportState =
  | { step: 'matching'; problem?: string }
  | { step: 'checking' }
  | { step: 'checked'; report: ImportReport; problem?: string }
  | { step: 'importing'; progress: Progress }
  | { step: 'done'; report: ImportReport }

const progressEveryMs = 500

/** Checks a file, then imports it. An import that was stopped goes on where it is started again. */
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
    const all = checked.rows - checked.refused
    setState({ step: 'importing', progress: { rows: 0, all, perSecond: 0 } })
    const tell = (progress: Progress) => setState({ step: 'importing', progress })
    try {
      const query = { columns, onError: 'skip' } as const
      const importing = client.pets.import(file, query, { type, signal, idempotencyKey })
      const report = await followed(importing, { idempotencyKey, signal, tell })
      if (!signal.aborted) setState({ step: 'done', report })
    } catch (error) {
      const problem = signal.aborted
        ? 'Stopped. What was imported stays; import again to go on with the rest.'
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

type Following = { idempotencyKey: string; signal: AbortSignal; tell(progress: Progress): void }

/** The result of an import; tells how far it has come until then. */
async function followed<T>(importing: PromiseLike<T>, { signal, ...rest }: Following): Promise<T> {
  const ended = new AbortController()
  void follow({ ...rest, signal: AbortSignal.any([signal, ended.signal]) })
  try {
    return await importing
  } finally {
    ended.abort()
  }
}

async function follow({ idempotencyKey, signal, tell }: Following): Promise<void> {
  let first: { rows: number; atMs: number } | undefined
  while (!signal.aborted) {
    try {
      const query = { idempotencyKey }
      const { rows: all, ...done } = await reader.pets.getImport(query, { signal })
      const rows = done.created + done.updated + done.refused
      // Of an import that goes on, earlier rows do not count for the speed of this one.
      first ??= { rows, atMs: performance.now() }
      const seconds = (performance.now() - first.atMs) / 1_000
      const perSecond = seconds > 0 ? (rows - first.rows) / seconds : 0
      if (all > 0 && !signal.aborted) tell({ rows, all, perSecond })
    } catch {
      // The bar stands still for a moment.
    }
    await pause(progressEveryMs, signal)
  }
}
