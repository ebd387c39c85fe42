import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { ExitError } from '../config/exit-error.ts'
import { OpenError, Unavailable } from '../db/errors.ts'
import type { Declared, Storage } from '../db/storage.ts'
import { checkBackup } from './backup/check-backup.ts'
import { writeBackup } from './backup/write-backup.ts'
import type { OnProgress, Progress } from './progress.ts'
import { writeAdopted } from './restore/write-adopted.ts'
import { writeStore } from './restore/write-store.ts'

/** What a thread does. It blocks for minutes, while the main thread shows the progress and obeys signals. */
const tasks = { write: writeBackup, check: checkBackup, restore: writeStore, adopt: writeAdopted }

type Tasks = typeof tasks
export type Task = {
  [Name in keyof Tasks]: { name: Name; input: Parameters<Tasks[Name]>[1] }
}[keyof Tasks]
export type ResultOf<T extends Task> = Awaited<ReturnType<Tasks[T['name']]>>

export type WorkerInput = { task: Task; storageUrl: string }

/** `name` and `reason` would be lost between threads; of an error that is not for people, `message` is the stack. */
export type Failure = { name?: string; reason?: string; message: string }
export type FromWorker = { progress: Progress } | { result: unknown } | { failure: Failure }

const port = parentPort
if (!port) throw new Error('This module runs in a worker thread.')

const { task, storageUrl } = workerData as WorkerInput
const { storage } = (await import(storageUrl)) as Pick<Declared, 'storage'>
const run = tasks[task.name] as (
  storage: Storage,
  input: unknown,
  onProgress: OnProgress,
) => Promise<unknown>
const tell = (message: FromWorker) => port.postMessage(message)

if (task.name === 'write') yieldToService()
try {
  tell({ result: await run(storage, task.input, (progress) => tell({ progress })) })
} catch (error) {
  tell({ failure: failureOf(error) })
}

/** On Linux this lowers the priority of this thread alone. */
function yieldToService() {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Some sandboxes forbid it; the backup is made all the same.
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof OpenError || error instanceof ExitError) {
    const { name, reason, message } = error
    return { name, reason, message }
  }
  if (error instanceof Unavailable) return { name: error.name, message: error.message }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
