import { closeSync, fdatasync, fstatSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { explainWriting } from '../../db/files/explain-writing.ts'
import { deleteDatabase, openEmpty, sideEndings } from '../../db/files/place-file.ts'
import type { Declared } from '../../db/storage.ts'
import { timers } from '../../timers.ts'
import type { OnProgress } from '../progress.ts'
import type { ResultOf, Task } from '../worker.ts'
import { runInWorker } from '../worker-client.ts'

const endings = ['', ...sideEndings]
/** How often the size of a growing file is read. */
const pollEveryMs = 100
/** One sync of a large file at its end would make the commits of a service on the same disk wait for all of it. */
const syncEveryBytes = 16 * 2 ** 20
const sync = promisify(fdatasync)

/** The name of a backup until it is complete, beside its own. */
export function unfinishedFor(file: string): string {
  return `${file}.unfinished-${process.pid}`
}

/** The file that this process fills. */
let ownFile: string | undefined

/** Deletes the file that this process was filling when it was interrupted. */
export function deleteOwnFile(): void {
  if (ownFile !== undefined) deleteDatabase(ownFile)
}

/** Creates or empties a file and runs a task that fills it; a failure deletes the file. Throws OpenError, and what the task throws. */
export async function fillFile<T extends Task>(
  declared: Declared,
  file: string,
  task: T,
  onProgress: OnProgress,
): Promise<ResultOf<T>> {
  // Digests of keys are in it.
  const descriptor = explainWriting(file, () => openEmpty(file))
  ownFile = file
  let total: number | undefined
  const stopWatching = watchFile(descriptor, (size) => {
    if (total !== undefined) onProgress({ unit: 'bytes', done: Math.min(size, total), total })
  })
  try {
    return await runInWorker(declared, task, (progress) => {
      total = progress.unit === 'bytes' ? progress.total : undefined
      onProgress(progress)
    })
  } catch (error) {
    deleteDatabase(file)
    throw error
  } finally {
    await stopWatching()
    closeSync(descriptor)
  }
}

/** Reports the size of a file while another thread writes it, and syncs it piece by piece. Returns what ends that. */
function watchFile(descriptor: number, onSize: (bytes: number) => void): () => Promise<void> {
  let synced = 0
  let syncing: Promise<void> | undefined

  const timer = timers.setInterval(() => {
    const { size } = fstatSync(descriptor)
    onSize(size)
    if (size - synced < syncEveryBytes || syncing) return
    synced = size
    // A failure is met again by the sync of the complete file.
    const ended = () => {
      syncing = undefined
    }
    syncing = sync(descriptor).then(ended, ended)
  }, pollEveryMs)

  return async () => {
    timers.clearInterval(timer)
    await syncing
  }
}

/** Deletes what interrupted runs have left in the folder of a file, under its name or others that belong to it. */
export function deleteUnfinished(
  file: string,
  isMeant = (name: string) => name === basename(file),
): void {
  for (const left of readdirSync(dirname(file))) {
    const [name = '', pid = '', ...more] = left.split(/\.unfinished-(\d+)/)
    if (!isMeant(name) || !endings.includes(more.join('')) || isOfAnother(Number(pid))) continue
    rmSync(join(dirname(file), left), { force: true })
  }
}

/** Whether another process has this number: it may be making that file. */
function isOfAnother(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
