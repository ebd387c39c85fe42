import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { instantMs } from '../../deadline.ts'
import type { CommitReport } from '../../run-write.ts'
import type { Storage } from '../../storage.ts'
import { type PackedJobs, unpackJobs, writesOf } from './commit.ts'
import { openScanner } from './scanner.ts'
import { type BatchResult, openWriter, type WriterStart } from './writer.ts'

/** The input of a worker: its task, the database, and the module that exports `storage`. */
export type WorkerInput = WriterStart & { task: 'write' | 'scan'; storageUrl: string }

/** `sentMs` is only sent where the writer reports. */
type Asked = { work: unknown; sentMs?: number }
/** `close` ends the worker. */
export type ToWorker = Asked | 'close'
/** Results, in the order of the requests. */
export type FromWorker = unknown[] | 'ready'

/** Returns a result for each work, in order; takes at most `atOnce` of those that wait. */
type Task = { atOnce: number; run(works: unknown[]): Promise<unknown[]>; close(): void }

const {
  task: name,
  storageUrl,
  reports,
  ...start
} = workerData as WorkerInput & {
  /** The channel of the commits, where somebody reads them. */
  reports?: MessagePort
}
const port = parentPort
if (!port) throw new Error('This module runs in a worker thread.')

const { storage } = (await import(storageUrl)) as { storage: Storage }
const task = (
  name === 'write' ? openPackedWriter() : openScanner(start.files, storage.scans)
) as Task
const waiting: ToWorker[] = []
let isRunning = false

port.on('message', async (message: ToWorker) => {
  waiting.push(message)
  if (isRunning) return
  isRunning = true
  while (waiting.length > 0) {
    takeArrived()
    await runSome()
  }
  isRunning = false
})
port.postMessage('ready' satisfies FromWorker)

/** Takes all messages that arrived during the last run, without a turn of the event loop for each. */
function takeArrived() {
  for (let next = receive(); next; next = receive()) waiting.push(next.message)
}

function receive(): { message: ToWorker } | undefined {
  return port ? receiveMessageOnPort(port) : undefined
}

async function runSome() {
  const taken = waiting.splice(0, task.atOnce)
  const asked = taken.filter((message) => message !== 'close')
  if (asked.length > 0) {
    const beganMs = reports && instantMs()
    const results = await task.run(asked.map(({ work }) => work))
    port?.postMessage(results satisfies FromWorker)
    if (beganMs !== undefined) report(asked[0] as Asked, results as BatchResult[], beganMs)
  }
  if (asked.length === taken.length) return
  task.close()
  port?.close()
}

/** Reports a commit whose oldest batch is this one. */
function report({ sentMs = 0 }: Asked, [result]: readonly BatchResult[], beganMs: number) {
  if (!result || !('commit' in result)) return
  takeArrived()
  const queued = waiting.flatMap((one) => (one === 'close' ? [] : (one.work as PackedJobs).names))
  const told: CommitReport = {
    ...result.commit,
    changed: result.changed,
    waiting: queued.length,
    waitedMs: beganMs - sentMs,
  }
  reports?.postMessage(told)
}

function openPackedWriter() {
  const { run, ...writer } = openWriter(start, writesOf(storage))
  return { ...writer, run: (batches: PackedJobs[]) => run(batches.map(unpackJobs)) }
}
