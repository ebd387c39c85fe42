import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Forwards connections on 127.0.0.1 to a port, and counts them. */
export type Link = AsyncDisposable & {
  /** HOST:PORT where it listens. */
  address: string
  /** How many connections the other side has begun to serve, and has not closed. */
  readonly open: number
  /** How many connections there were. */
  readonly opened: number
  /** From now on nothing arrives in either direction; no connection is closed, and new ones are accepted. */
  cut(): void
  restore(): void
}

/** Forwards to HOST:PORT, in a thread of its own, so that what this one does delays nothing. */
export async function startLink(target: string): Promise<Link> {
  const counts = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(new URL('link-worker.ts', import.meta.url), {
    workerData: { target, counts },
  })
  const [address] = await once(worker, 'message')
  return {
    address,
    get open() {
      return Atomics.load(counts, 0)
    },
    get opened() {
      return Atomics.load(counts, 1)
    },
    cut: () => worker.postMessage('cut'),
    restore: () => worker.postMessage('restore'),
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  }
}
