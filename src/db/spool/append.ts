import { write } from 'node:fs'
import { promisify } from 'node:util'
import { Unavailable } from '../errors.ts'

/**
 * An open temporary file, as every thread of the process can fill it: plain data, of which `size`, `total` and `isClosed`
 * are shared memory. One thread fills it at a time.
 */
export type SpoolFile = {
  fd: number
  /** The bytes of this file, and of all such files of the process. */
  size: BigInt64Array
  total: BigInt64Array
  totalMaxBytes: number
  isClosed: Int32Array
}

const writeAt = promisify(write)

/** Appends to a temporary file. Throws `Unavailable` where there is no space left, or the file was closed meanwhile. */
export async function append(file: SpoolFile, bytes: Uint8Array): Promise<void> {
  const { fd, size, total, totalMaxBytes } = file
  requireOpen(file)
  const added = BigInt(bytes.length)
  if (Atomics.add(total, 0, added) + added > BigInt(totalMaxBytes)) {
    Atomics.sub(total, 0, added)
    throw new Unavailable(
      'Exports in progress take as much space as they may. Try again later, or with less data.',
    )
  }
  try {
    let at = Number(Atomics.load(size, 0))
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await writeAt(fd, bytes, done, bytes.length - done, at)
      done += bytesWritten
      at += bytesWritten
    }
  } catch (cause) {
    Atomics.sub(total, 0, added)
    throw new Unavailable('The disk has no space for a temporary file now. Try again later.', {
      cause,
    })
  }
  Atomics.add(size, 0, added)
}

/** Throws `Unavailable` where nobody wants the file any longer. */
export function requireOpen({ isClosed }: SpoolFile): void {
  if (Atomics.load(isClosed, 0) === 1) throw new Unavailable('The client has left.')
}
