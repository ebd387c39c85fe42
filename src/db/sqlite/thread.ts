import { parentPort, workerData } from 'node:worker_threads'
import type { Statements } from '../seam.ts'
import type { Job } from './commit.ts'
import { openScanner } from './scanner.ts'
import { openWriter } from './writer.ts'

/** What a thread is started with: its task, the database file, and the module that names the statements. */
export type ThreadData = { task: 'write' | 'scan'; path: string; statementsUrl: string }

/** A request carries a number; its answer carries the same one. `close` ends the thread. */
export type ToThread = { id: number; work: unknown } | 'close'
export type FromThread = { id: number; answer: unknown } | 'ready'

const { task, path, statementsUrl } = workerData as ThreadData
const port = parentPort
if (!port) throw new Error('This module runs in a thread of its own.')

const { statements } = (await import(statementsUrl)) as { statements: Statements }
const worker = task === 'write' ? openWriteTask() : openScanner(path, byName(statements.scans))

port.on('message', async (message: ToThread) => {
  if (message === 'close') {
    worker.close()
    port.close()
    return
  }
  const answer = await worker.run(message.work as never)
  port.postMessage({ id: message.id, answer } satisfies FromThread)
})
port.postMessage('ready' satisfies FromThread)

function openWriteTask() {
  const writer = openWriter(path, byName(statements.transactions) as never)
  return { run: (jobs: Job[]) => writer.run(jobs), close: () => writer.close() }
}

function byName<S extends { name: string }>(list: readonly S[]): ReadonlyMap<string, S> {
  return new Map(list.map((statement) => [statement.name, statement]))
}
