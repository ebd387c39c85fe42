import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FromThread, ThreadData, ToThread } from './thread.ts'

export type AskedThread = {
  /** Rejects when the thread dies before it answers. */
  ask<A>(work: unknown): Promise<A>
  close(): Promise<void>
}

/** Starts a thread of the database and resolves once it has opened its connection. */
export async function startThread(
  data: ThreadData,
  onDeath: (error: Error) => void,
): Promise<AskedThread> {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: data,
    env: threadEnvironment(),
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

  worker.on('message', (message: FromThread) => {
    if (message === 'ready') return ready.resolve()
    for (const { id, answer } of message) {
      asked.get(id)?.resolve(answer)
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
      const answer = Promise.withResolvers<unknown>()
      asked.set(id, answer)
      worker.postMessage({ id, work } satisfies ToThread)
      return answer.promise as Promise<A>
    },
    close() {
      isClosing = true
      worker.postMessage('close' satisfies ToThread)
      return ended.promise
    },
  }
}

/** A thread takes part in the compile cache only through its environment; without, it strips types and compiles anew. */
function threadEnvironment(): Record<string, string> {
  const directory = getCompileCacheDir()
  // It ends in a folder for this version of Node, which Node adds itself.
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) }
}
