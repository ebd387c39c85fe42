import { fdatasync, fstatSync } from 'node:fs'

/** How often the size of a growing file is read. */
const pollEveryMs = 100
/** One sync of a large file at its end would make the commits of a service on the same disk wait for all of it. */
const syncEveryBytes = 16 * 2 ** 20

/** Reports the size of a file while another thread writes it, and syncs it piece by piece. Returns what ends that. */
export function watchFile(
  descriptor: number,
  onSize: (bytes: number) => void,
): () => Promise<void> {
  let synced = 0
  let syncing: Promise<void> | undefined

  const timer = setInterval(() => {
    const { size } = fstatSync(descriptor)
    onSize(size)
    if (size - synced < syncEveryBytes || syncing) return
    synced = size
    const { promise, resolve } = Promise.withResolvers<void>()
    // A failure is met again by the sync of the complete file.
    fdatasync(descriptor, () => resolve())
    syncing = promise.finally(() => {
      syncing = undefined
    })
  }, pollEveryMs)

  return async () => {
    clearInterval(timer)
    await syncing
  }
}
