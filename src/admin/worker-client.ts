import { Worker } from 'node:worker_threads'
import { ExitError, type ExitReason } from '../config/exit-error.ts'
import { OpenError, Unavailable } from '../db/errors.ts'
import { workerEnvironment } from '../db/opening/worker-environment.ts'
import type { Declared } from '../db/storage.ts'
import type { OnProgress } from './progress.ts'
import type { Failure, FromWorker, ResultOf, Task } from './worker.ts'

/** Runs a task in a thread of its own. Throws what the task throws. */
export function runInWorker<T extends Task>(
  { storageUrl }: Pick<Declared, 'storageUrl'>,
  task: T,
  onProgress: OnProgress,
): Promise<ResultOf<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<ResultOf<T>>()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { task, storageUrl },
    env: workerEnvironment(),
  })
  worker.on('message', (message: FromWorker) => {
    if ('progress' in message) onProgress(message.progress)
    else if ('result' in message) resolve(message.result as ResultOf<T>)
    else reject(errorOf(message.failure))
  })
  worker.on('error', reject)
  const stopped = 'The thread of this command stopped unexpectedly. Run the command again.'
  worker.on('exit', () => reject(new Error(stopped)))
  return promise
}

function errorOf({ name, reason, message }: Failure): Error {
  if (name === 'OpenError') return new OpenError(reason as OpenError['reason'], message)
  if (name === 'ExitError') return new ExitError(reason as ExitReason, message)
  return name === 'Unavailable' ? new Unavailable(message) : new Error(message)
}
