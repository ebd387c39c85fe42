import { MessageChannel, Worker } from 'node:worker_threads'
import { instantMs } from '../../deadline.ts'
import type { OnCommit } from '../../run-write.ts'
import { workerEnvironment } from '../../worker-environment.ts'
import type { FromWorker, ToWorker, WorkerInput } from './worker.ts'

export type WorkerClient = {
  /** Rejects when the worker dies before it responds. */
  ask<A>(work: unknown): Promise<A>
  close(): Promise<void>
}

/** Starts a worker of the database and resolves once its connection is open. `reported` gets what a writer reports. */
export async function startWorker(
  data: WorkerInput,
  onDeath: (error: Error) => void,
  reported?: OnCommit['reported'],
): Promise<WorkerClient> {
  const channel = reported && new MessageChannel()
  channel?.port1.on('message', (report) => reported?.(report)).unref()
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { ...data, reports: channel?.port2 },
    ...(channel && { transferList: [channel.port2] }),
    env: workerEnvironment(),
  })
  const asked = new Map<number, PromiseWithResolvers<unknown>>()
  const ready = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let lastId = 0
  let isClosing = false
  let death: Error | undefined

  function die(error: Error) {
    if (death) return
    death = error
    ready.reject(error)
    for (const { reject } of asked.values()) reject(error)
    asked.clear()
    if (!isClosing) onDeath(error)
  }

  worker.on('message', (message: FromWorker) => {
    if (message === 'ready') return ready.resolve()
    for (const { id, result } of message) {
      asked.get(id)?.resolve(result)
      asked.delete(id)
    }
  })
  worker.on('error', (error) => die(error instanceof Error ? error : new Error(String(error))))
  worker.on('exit', () => {
    die(new Error(`The thread that would ${data.task} has ended.`))
    ended.resolve()
  })
  await ready.promise

  return {
    ask<A>(work: unknown) {
      if (death) return Promise.reject(death)
      const id = ++lastId
      const result = Promise.withResolvers<unknown>()
      asked.set(id, result)
      worker.postMessage({ id, work, ...(reported && { sentMs: instantMs() }) } satisfies ToWorker)
      return result.promise as Promise<A>
    },
    close() {
      isClosing = true
      worker.postMessage('close' satisfies ToWorker)
      return ended.promise
    },
  }
}
