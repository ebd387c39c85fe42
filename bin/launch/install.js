import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from './launch-error.js'
import { withLock } from './lock.js'
import { npm } from './npm.js'
import { announceWork } from './progress.js'

/**
 * Brings node_modules to what package-lock.json requires: the production packages, `nodePackage` if named, and the
 * development packages if wanted or already there. A few milliseconds when nothing is missing; of several launches
 * at once, one installs and the others wait. Throws when npm is missing or fails.
 */
export async function installWhatIsMissing(
  root,
  wanted,
  announcement = 'Installing packages …',
  remedy = 'is this machine online?',
) {
  if (isInstalled(root, wanted)) return
  await withLock(join(root, '.installing'), async (onStart) => {
    if (isInstalled(root, wanted)) return
    const args = npmArguments(root, wanted)
    const { receive: onReceived, end } = announceWork(announcement)
    rmSync(notePath(root), { force: true })
    await npm(root, args, { onStart, onReceived, remedy }).finally(end)
    if (isInstalled(root, wanted)) return
    throw new LaunchError(
      'notInstalled',
      'npm left out packages that package-lock.json requires: is this machine online?',
    )
  })
}

/** Whether nothing is missing. */
function isInstalled(root, { withDev, nodePackage }) {
  const present = packagesIn(notePath(root)) ?? {}
  const required = packagesIn(join(root, 'package-lock.json')) ?? {}
  return Object.entries(required).every(([path, wanted]) => {
    if (path === '' || (wanted.dev && !withDev)) return true
    const isLeftToNpm = wanted.optional || wanted.devOptional
    const found = present[path]
    if (found === undefined) return isLeftToNpm && path !== `node_modules/${nodePackage}`
    // npm's own record is not enough: `npm install --package-lock-only` rewrites it and installs nothing.
    const { version } = parsed(join(root, path, 'package.json')) ?? {}
    return isSame(found, wanted) && wanted.version === version
  })
}

function isSame(found, wanted) {
  const isUnsealed = wanted.integrity === undefined
  return found.version === wanted.version && (isUnsealed || found.integrity === wanted.integrity)
}

/** npm's record of a finished install: a manual install counts, an interrupted one does not. */
function notePath(root) {
  return join(root, 'node_modules', '.package-lock.json')
}

function packagesIn(path) {
  return parsed(path)?.packages
}

function parsed(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function npmArguments(root, { withDev, nodePackage }) {
  const present = packagesIn(notePath(root))
  const hasDev = Object.values(present ?? {}).some(({ dev }) => dev)
  const isFull = withDev || hasDev
  const isOptionalNeeded = isFull || nodePackage !== undefined
  return [
    // `install` keeps the packages of a running service; `ci` would delete them first.
    ...(present === undefined ? ['ci'] : ['install', '--no-save']),
    isFull ? '--include=dev' : '--omit=dev',
    isOptionalNeeded ? '--include=optional' : '--omit=optional',
    // `npm run --silent` is inherited, and would hide the cause of a failed install.
    '--loglevel=error',
  ]
}
