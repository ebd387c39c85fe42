import { closeSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { explainWriting } from '../../db/files/explain-writing.ts'
import { openEmpty, sideEndings } from '../../db/files/place-file.ts'
import type { Declared } from '../../db/storage.ts'
import type { OnProgress } from '../progress.ts'
import type { ResultOf, Task } from '../worker.ts'
import { runInWorker } from '../worker-client.ts'
import { watchFile } from './watch-file.ts'

const endings = ['', ...sideEndings]

/** The name of a backup until it is complete, beside its own. */
export function unfinishedFor(file: string): string {
  return `${file}.unfinished-${process.pid}`
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
    deleteFile(file)
    throw error
  } finally {
    await stopWatching()
    closeSync(descriptor)
  }
}

/** Deletes an unfinished file, also while it is written. */
export function deleteFile(file: string): void {
  for (const ending of endings) rmSync(file + ending, { force: true })
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
