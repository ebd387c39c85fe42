import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { ExitError } from '../config/exit-error.ts'
import { OpenError } from '../db/errors.ts'
import type { DatabaseAddress } from '../db/open.ts'
import type { Declared } from '../db/storage.ts'
import { checkBackup } from './backup/check-backup.ts'
import { type WriteRequest, writeBackup } from './backup/write-backup.ts'
import type { OnProgress, Progress } from './progress.ts'
import { type RestoreRequest, writeStore } from './restore/write-store.ts'
import { verifyHeld } from './verify/verify-held.ts'

/** What a thread does. It blocks for minutes, while the main thread shows the progress and obeys signals. */
export type Task =
  | { name: 'write'; request: WriteRequest }
  | { name: 'check'; file: string }
  | { name: 'restore'; request: RestoreRequest }
  | { name: 'verify'; database: DatabaseAddress }

export type WorkerInput = { task: Task; storageUrl: string }

export type FromWorker =
  | { progress: Progress }
  | { result: unknown }
  | { failure: { kind: 'OpenError' | 'ExitError'; reason: string; message: string } }
  | { defect: string }

const port = parentPort
if (!port) throw new Error('This module runs in a worker thread.')

const { task, storageUrl } = workerData as WorkerInput
const { storage } = (await import(storageUrl)) as Pick<Declared, 'storage'>

const tell = (message: FromWorker) => port.postMessage(message)
tell(await run(task, (progress) => tell({ progress })).then(resultOf, failureOf))

async function run(task: Task, onProgress: OnProgress): Promise<unknown> {
  if (task.name === 'check') return checkBackup(storage, task.file, onProgress)
  if (task.name === 'restore') return writeStore(storage, task.request, onProgress)
  if (task.name === 'verify') return verifyHeld(storage, task.database, onProgress)
  yieldToService()
  return writeBackup(storage, task.request, onProgress)
}

/** On Linux this lowers the priority of this thread alone. */
function yieldToService() {
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // Some sandboxes forbid it; the backup is made all the same.
  }
}

function resultOf(result: unknown): FromWorker {
  return { result }
}

/** The reason of an error would be lost between threads. */
function failureOf(error: unknown): FromWorker {
  if (error instanceof OpenError || error instanceof ExitError) {
    const { reason, message } = error
    return {
      failure: { kind: error instanceof OpenError ? 'OpenError' : 'ExitError', reason, message },
    }
  }
  return { defect: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
