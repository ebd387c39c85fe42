import { closeSync, openSync, read, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Unavailable } from '../errors.ts'
import type { SpoolFile } from './append.ts'

/** A temporary file that no folder shows: it is gone with its last use, or with the process. */
export type Spool = Disposable & {
  /** Lets another thread fill it: it stays open until the work has ended. */
  fill<T>(work: (file: SpoolFile) => Promise<T>): Promise<T>
  sizeBytes(): number
  /** The bytes from `start` to before `end`; all that are there when absent. */
  read(start?: number, end?: number): AsyncGenerator<Uint8Array>
  /** Gives its space back, after the work and the reads in progress. May be called again. */
  close(): void
}

type SpoolOptions = {
  spoolDirectory: string
  /** Of all open files together. */
  spoolMaxBytes: number
  random(count: number): Uint8Array
}

/** With these many open, another is refused. */
export const spoolsMax = 100
const chunkBytes = 65_536
const readAt = promisify(read)

/** Opens temporary files of bounded size, mode 0600. `openSpool` throws `Unavailable`. */
export function createSpools({ spoolDirectory, spoolMaxBytes, random }: SpoolOptions) {
  const total = new BigInt64Array(new SharedArrayBuffer(8))
  let files = 0

  function openFile(): { fd: number; path: string | undefined } {
    const path = join(spoolDirectory, `.petstore-${Buffer.from(random(12)).toString('hex')}.tmp`)
    try {
      const fd = openSync(path, 'wx+', 0o600)
      return { fd, path: isUnlinked(path) ? undefined : path }
    } catch (cause) {
      throw new Unavailable('No temporary file can be created now. Try again later.', { cause })
    }
  }

  return function openSpool(): Spool {
    if (files >= spoolsMax)
      throw new Unavailable('Too many exports are in progress. Try again later.')
    const { fd, path } = openFile()
    files += 1
    const file: SpoolFile = {
      fd,
      size: new BigInt64Array(new SharedArrayBuffer(8)),
      total,
      totalMaxBytes: spoolMaxBytes,
      isClosed: new Int32Array(new SharedArrayBuffer(4)),
    }
    const sizeBytes = () => Number(Atomics.load(file.size, 0))
    let uses = 1

    /** Closed only without uses: the number of a closed file may become that of another one. */
    function release() {
      uses -= 1
      if (uses > 0) return
      closeSync(fd)
      if (path !== undefined) rmSync(path, { force: true })
      Atomics.sub(total, 0, Atomics.load(file.size, 0))
      files -= 1
    }

    async function use<T>(work: () => Promise<T>): Promise<T> {
      if (uses === 0) throw new Error('The temporary file is closed.')
      uses += 1
      return work().finally(release)
    }

    function close() {
      if (Atomics.exchange(file.isClosed, 0, 1) === 0) release()
    }

    return {
      fill: (work) => use(() => work(file)),
      sizeBytes,
      async *read(start = 0, end = sizeBytes()) {
        for (let at = start; at < end; ) {
          const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - at))
          const { bytesRead } = await use(() => readAt(fd, chunk, 0, chunk.length, at))
          if (bytesRead === 0) throw new Error('A temporary file is shorter than was written.')
          yield chunk.subarray(0, bytesRead)
          at += bytesRead
        }
      },
      close,
      [Symbol.dispose]: close,
    }
  }
}

/** Not every platform removes the name of an open file. */
function isUnlinked(path: string): boolean {
  try {
    unlinkSync(path)
    return true
  } catch {
    return false
  }
}
