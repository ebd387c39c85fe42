import { Worker } from 'node:worker_threads'
import { ExitError, type ExitReason } from '../../config/exit-error.ts'
import { OpenError } from '../../db/errors.ts'
import type { Declared } from '../../db/storage.ts'
import { workerEnvironment } from '../../db/worker-environment.ts'
import type { OnProgress } from '../progress.ts'
import type { RestoredFile } from '../restore/write-store.ts'
import type { Result } from '../verify/verify-store.ts'
import type { CheckedBackup } from './check-backup.ts'
import type { FromThread, Task } from './thread.ts'

type Results = {
  write: CheckedBackup
  check: CheckedBackup
  restore: RestoredFile
  verify: Result[]
}
export type ResultOf<T extends Task> = Results[T['name']]

/** Runs a task in a thread of its own, which `signal` ends. Throws what the task throws. */
export function runInThread<T extends Task>(
  { storageUrl }: Pick<Declared, 'storageUrl'>,
  task: T,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<ResultOf<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<ResultOf<T>>()
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: { task, storageUrl },
    env: workerEnvironment(),
  })
  thread.on('message', (message: FromThread) => {
    if ('progress' in message) onProgress(message.progress)
    else if ('result' in message) resolve(message.result as ResultOf<T>)
    else reject(errorOf(message))
  })
  thread.on('error', reject)
  signal?.addEventListener('abort', () => void thread.terminate())
  thread.on('exit', () => reject(new Error(`The thread that would ${task.name} has ended.`)))
  return promise
}

function errorOf(message: Extract<FromThread, { failure: unknown } | { defect: unknown }>): Error {
  if ('defect' in message) return new Error(message.defect)
  const { kind, reason, message: sentence } = message.failure
  return kind === 'ExitError'
    ? new ExitError(reason as ExitReason, sentence)
    : new OpenError(reason as OpenError['reason'], sentence)
}
