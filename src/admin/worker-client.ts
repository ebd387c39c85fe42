import { Worker } from 'node:worker_threads'
import { ExitError, type ExitReason } from '../config/exit-error.ts'
import { OpenError } from '../db/errors.ts'
import type { Declared } from '../db/storage.ts'
import { workerEnvironment } from '../db/worker-environment.ts'
import type { CheckedBackup } from './backup/check-backup.ts'
import type { OnProgress } from './progress.ts'
import type { RestoredFile } from './restore/write-store.ts'
import type { Result } from './verify/verify-store.ts'
import type { FromWorker, Task } from './worker.ts'

type Results = {
  write: CheckedBackup
  check: CheckedBackup
  restore: RestoredFile
  verify: Result[]
}
export type ResultOf<T extends Task> = Results[T['name']]

/** Runs a task in a thread of its own, which `signal` ends. Throws what the task throws. */
export function runInWorker<T extends Task>(
  { storageUrl }: Pick<Declared, 'storageUrl'>,
  task: T,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<ResultOf<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<ResultOf<T>>()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { task, storageUrl },
    env: workerEnvironment(),
  })
  worker.on('message', (message: FromWorker) => {
    if ('progress' in message) onProgress(message.progress)
    else if ('result' in message) resolve(message.result as ResultOf<T>)
    else reject(errorOf(message))
  })
  worker.on('error', reject)
  signal?.addEventListener('abort', () => void worker.terminate())
  worker.on('exit', () => reject(new Error(`The thread that would ${task.name} has ended.`)))
  return promise
}

function errorOf(message: Extract<FromWorker, { failure: unknown } | { defect: unknown }>): Error {
  if ('defect' in message) return new Error(message.defect)
  const { kind, reason, message: sentence } = message.failure
  return kind === 'ExitError'
    ? new ExitError(reason as ExitReason, sentence)
    : new OpenError(reason as OpenError['reason'], sentence)
}
