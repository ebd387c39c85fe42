import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from './end.js'
import { withLock } from './lock.js'
import { run } from './run.js'

/**
 * Brings node_modules to what package-lock.json requires: the production packages, the Node of this platform and the
 * development packages if wanted or already there. A few milliseconds when nothing is missing; of several launches
 * at once, one installs and the others wait. Throws when npm is missing or fails.
 */
export async function installWhatIsMissing(root, wanted) {
  if (isInstalled(root, wanted)) return
  await withLock(join(root, '.installing'), async (setHolder) => {
    if (isInstalled(root, wanted)) return
    console.error(`Installing packages into ${join(root, 'node_modules')} …`)
    // If this process is killed, npm goes on, and others wait for it.
    await npm(root, wanted, setHolder)
  })
}

/** The path of the Node that npm has put into node_modules; undefined where there is none. */
export function installedNode(root) {
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const { optionalDependencies } = read(join(root, 'package.json'))
  return Object.keys(optionalDependencies)
    .map((name) => join(root, 'node_modules', name, 'bin', file))
    .find(existsSync)
}

/** Compares with npm's record of a finished install: a manual one counts, an interrupted one does not. */
function isInstalled(root, { withDev, withNode }) {
  if (withNode && installedNode(root) === undefined) return false
  const present = installedPackages(root)
  const { packages: required } = read(join(root, 'package-lock.json'))
  return Object.entries(required).every(([path, { version, dev, optional, devOptional }]) => {
    if (path === '' || (dev && !withDev)) return true
    const found = present[path]
    return found === undefined ? optional || devOptional : found.version === version
  })
}

function installedPackages(root) {
  try {
    return read(join(root, 'node_modules/.package-lock.json')).packages
  } catch {
    return {}
  }
}

function read(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

async function npm(root, wanted, onStart) {
  // Standard output is the program's.
  const options = { cwd: root, shell: process.platform === 'win32', stdio: ['ignore', 2, 2] }
  const started = run('npm', npmArguments(root, wanted), options, onStart)
  const { code, signal, passedOn } = await started.catch(({ message }) => ({ code: message }))
  if (passedOn) throw new LaunchError(`Interrupted by ${passedOn}.`, { signal: passedOn })
  if (code === 0) return
  throw new LaunchError(
    `The packages cannot be installed (npm: ${signal ?? code}). Is this machine online?`,
  )
}

/** `install` keeps the packages of a running service, which `ci` would delete first. What is there is never removed. */
function npmArguments(root, { withDev, withNode }) {
  const present = Object.values(installedPackages(root))
  const isFull = withDev || present.some(({ dev }) => dev)
  const hasOptional = isFull || withNode || present.some(({ optional }) => optional)
  return [
    ...(existsSync(join(root, 'node_modules')) ? ['install', '--no-save'] : ['ci']),
    isFull ? '--include=dev' : '--omit=dev',
    hasOptional ? '--include=optional' : '--omit=optional',
    // `npm run --silent` is inherited, and would hide why an install fails.
    '--loglevel=error',
  ]
}
