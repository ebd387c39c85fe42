import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { resolveSourcesAsUrls } from '../../../../bin/launch/load-quickly.js'
import type { Storage } from '../../storage.ts'
import { type PackedJobs, unpackJobs, writesOf } from './commit.ts'
import { openScanner } from './scanner.ts'
import { openWriter, type WriterStart } from './writer.ts'

/** The input of a worker: its task, the database, and the module that exports `storage`. */
export type WorkerInput = WriterStart & { task: 'write' | 'scan'; storageUrl: string }

/** `close` ends the worker. */
export type ToWorker = { work: unknown } | 'close'
/** Results, in the order of the requests; the first message has none, and says that the connection is open. */
export type FromWorker = unknown[]

/** Returns a result for each work, in order; takes at most `atOnce` of those that wait. */
type Task = { atOnce: number; run(works: unknown[]): Promise<unknown[]>; close(): void }

const { task: name, storageUrl, ...start } = workerData as WorkerInput
const port = parentPort
if (!port) throw new Error('This module runs in a worker thread.')

resolveSourcesAsUrls()
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
    // Takes all messages that arrived during the last run, without a turn of the event loop for each.
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
      waiting.push(next.message)
    const taken = waiting.splice(0, task.atOnce)
    const asked = taken.filter((one) => one !== 'close')
    if (asked.length > 0)
      port.postMessage((await task.run(asked.map(({ work }) => work))) satisfies FromWorker)
    if (asked.length < taken.length) {
      task.close()
      port.close()
    }
  }
  isRunning = false
})
port.postMessage([] satisfies FromWorker)

function openPackedWriter() {
  const { run, ...writer } = openWriter(start, writesOf(storage))
  return { ...writer, run: (batches: PackedJobs[]) => run(batches.map(unpackJobs)) }
}
