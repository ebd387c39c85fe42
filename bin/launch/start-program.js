import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { chooseNode } from './choose-node.js'
import { Interruption, LaunchError } from './launch-error.js'
import { endLike, replaceProcess, run } from './run.js'

const parentPollMs = 250
const isStartedByNpm = process.env.npm_lifecycle_event !== undefined

/**
 * Runs the module at `path()` in this Node or, where that lacks something, in the one below `nodeFolder`; `install` has
 * to bring what is missing. Ends as the program ends: signals, exit code, and SIGKILL too.
 */
export async function startProgram({ path, args, nodeFolder, needs, install }) {
  try {
    const program = path()
    if (isStartedByNpm) stopWithNpm()
    const { ownNode, nodePackage, lack } = chooseNode(nodeFolder, needs)
    process.once('disconnect', endAlone)
    // A listener would keep this process alive.
    await install({ nodePackage, lack }).finally(() => process.off('disconnect', endAlone))
    if (ownNode === undefined) await runHere(program, args)
    else await runWith(ownNode, program, args)
  } catch (error) {
    endWith(error)
  }
}

/** The parent has ended, so nobody waits for the install. npm ends with this process. */
function endAlone() {
  process.exit(1)
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
  // Below npm this process stays, to notice the end of npm; with a channel it stays to keep that open.
  if (!isStartedByNpm && !process.connected) replaceProcess(binary, [path, ...args])
  // The child gets 'disconnect' when this process ends, however it ends.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const followParent = (child) => {
    if (!process.connected) return
    process.once('disconnect', () => child.kill('SIGTERM'))
    // The listener must not keep this process when the program has ended.
    process.channel?.unref()
  }
  const end = await run(binary, [path, ...args], { stdio }, followParent).catch((error) => {
    throw explain(error)
  })
  endLike(end)
}
