// Plain JavaScript without packages: it runs before anything is installed, on any Node from 20.10.

import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { endLike, endWith, LaunchError } from './end.js'
import { installedNode, installWhatIsMissing } from './install.js'
import { problemWithNode } from './node-version.js'
import { run } from './run.js'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
/** The gate and the campaigns are tried with the Node that the repository locks. */
const devMajorMin = 26
const parentPollMs = 250

/**
 * Runs a script of the repository: installs what is missing, and takes the Node that runs this or, where that is too
 * old, the installed one. Ends as the script ends, and the script with it, if this is killed too.
 */
export async function launch(script, args, { withDev = false } = {}) {
  // As it was called: a symbolic link in that path may name another version when it is started again.
  const called = join(dirname(process.argv[1]), basename(script))
  const path = existsSync(called) ? called : join(root, script)
  const withNode = isTooOld(withDev)
  if (process.env.npm_lifecycle_event) stopWithNpm()
  try {
    await installWhatIsMissing(root, { withDev, withNode })
    if (withNode) return endLike(await runInstalledNode([path, ...args]))
  } catch (error) {
    return endWith(error)
  }
  process.argv = [process.execPath, path, ...args]
  await import(pathToFileURL(path).href)
}

function isTooOld(withDev) {
  if (withDev && Number.parseInt(process.versions.node, 10) < devMajorMin) return true
  return problemWithNode('disk') !== undefined || !process.features.typescript
}

/** A signal to npm kills the shell between npm and this process, often without reaching this process. */
function stopWithNpm() {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, parentPollMs).unref()
}

async function runInstalledNode(args) {
  const node = installedNode(root)
  // The program gets 'disconnect' when this process ends, however it ends.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const end = node && (await run(node, args, { stdio }).catch(() => undefined))
  if (end) return end
  const message = `Node ${process.versions.node} is too old, and npm has installed none that runs here: install Node 26, or 24.16 at least.`
  throw new LaunchError(message, { code: 80 })
}
