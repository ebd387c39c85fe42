// Plain JavaScript without packages: it runs before anything is installed, on any Node from 20.10.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chooseNode } from './choose-node.js'
import { installWhatIsMissing } from './install.js'
import { Interruption, LaunchError } from './launch-error.js'
import { endLike, replaceProcess, run } from './run.js'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const parentPollMs = 250
const isStartedByNpm = process.env.npm_lifecycle_event !== undefined

/**
 * Runs a script of the repository: installs what is missing, and takes the Node that runs this or, where that lacks
 * something, one of its own. What becomes of the script becomes of this process: signals, exit code, and SIGKILL too.
 */
export async function launch(script, args, { withDev = false } = {}) {
  try {
    if (script === undefined) {
      throw new LaunchError('usage', 'Usage: node bin/launch.js SCRIPT [ARGUMENT …]')
    }
    if (isStartedByNpm) stopWithNpm()
    const { ownNode, nodePackage } = chooseNode(root, { withDev })
    await installWhatIsMissing(root, { withDev, nodePackage })
    const path = join(root, script)
    if (ownNode === undefined) await runHere(path, args)
    else await runWith(ownNode, path, args)
  } catch (error) {
    endWith(error)
  }
}

function endWith(error) {
  if (error instanceof Interruption) return endLike({ code: null, signal: error.signal })
  if (!(error instanceof LaunchError)) throw error
  console.error(error.message)
  process.exitCode = error.exitCode
}

/**
 * A signal to npm kills the shell between npm and this process, often without reaching this process: its exit counts as
 * SIGTERM.
 */
function stopWithNpm() {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, parentPollMs)
  timer.unref()
}

async function runHere(path, args) {
  process.argv = [process.execPath, path, ...args]
  await import(pathToFileURL(path).href)
}

async function runWith({ binary, explain }, path, args) {
  if (!existsSync(binary)) throw new LaunchError('notInstalled', `${binary} is missing.`)
  // Below npm this process stays, to notice the end of npm.
  if (!isStartedByNpm) replaceProcess(binary, [path, ...args])
  // The child gets 'disconnect' when this process ends, however it ends.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const end = await run(binary, [path, ...args], { stdio }).catch((error) => {
    throw explain(error)
  })
  endLike(end)
}
