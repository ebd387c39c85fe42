import { renameSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LaunchError } from './end.js'

const pollMs = 100

/**
 * Runs `work` while no other process holds the folder at `path`. The name of its only file is the pid of the holder: once
 * that process is gone, the lock is void. `work` may hand it over to a process that it starts.
 */
export async function withLock(path, work) {
  let holder = process.pid
  if (!(await acquire(path))) {
    console.error(
      `Waiting for another install. Its process is the name of the file in ${path}; delete that if it has ended.`,
    )
    while (!(await acquire(path))) await sleep(pollMs)
  }
  try {
    return await work((pid) => {
      renameSync(join(path, `${holder}`), join(path, `${pid}`))
      holder = pid
    })
  } finally {
    await rm(join(path, `${holder}`), { force: true })
    // It is not empty where another process took it over when that one had ended.
    await succeeds(rmdir(path))
  }
}

/** The folder appears with its file. Of several processes that take over a void one, one succeeds. */
async function acquire(path) {
  const own = await mkdtemp(`${path}-`).catch(({ message }) => {
    throw new LaunchError(`Packages are missing, and cannot be installed: ${message}.`)
  })
  await writeFile(join(own, `${process.pid}`), '')
  // It replaces no folder that has a file.
  if (await succeeds(rename(own, path))) return true
  await rm(own, { recursive: true })
  const [holder] = await readdir(path).catch(() => [])
  if (isRunning(Number(holder))) return false
  return succeeds(rename(join(path, holder), join(path, `${process.pid}`)))
}

function succeeds(work) {
  return work.then(
    () => true,
    () => false,
  )
}

/** Our own pid is that of a process before us, in a container that was started again. */
function isRunning(pid) {
  try {
    return pid !== process.pid && process.kill(pid, 0)
  } catch ({ code }) {
    return code !== 'ESRCH'
  }
}
