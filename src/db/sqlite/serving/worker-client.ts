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
  const asked: PromiseWithResolvers<unknown>[] = []
  const ready = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let isClosing = false
  let death: Error | undefined

  function die(error: Error) {
    if (death) return
    death = error
    ready.reject(error)
    for (const { reject } of asked.splice(0)) reject(error)
    if (!isClosing) onDeath(error)
  }

  worker.on('message', (message: FromWorker) => {
    if (message === 'ready') return ready.resolve()
    for (const result of message) asked.shift()?.resolve(result)
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
      const result = Promise.withResolvers<unknown>()
      asked.push(result)
      worker.postMessage({ work, ...(reported && { sentMs: instantMs() }) } satisfies ToWorker)
      return result.promise as Promise<A>
    },
    close() {
      isClosing = true
      worker.postMessage('close' satisfies ToWorker)
      return ended.promise
    },
  }
}
