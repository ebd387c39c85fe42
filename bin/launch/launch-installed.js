// The launcher of the npm package. Plain JavaScript without packages, on any Node from 20.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheFolder } from './cache-folder.js'
import { installWhatIsMissing } from './install.js'
import { LaunchError } from './launch-error.js'
import { startProgram } from './start-program.js'

/** What npm transfers at most, by platform. */
const nodeSizeMb = 57
const lock = new URL('./node-lock.json', import.meta.url)

/**
 * Runs the program of the installed package in this Node or, where that lacks something, in one that npm fetches into the
 * user's cache, checked against the hash that the package has.
 */
export function launchInstalled(args) {
  const cache = cacheFolder()
  cacheCompiledModules(cache)
  const { version } = JSON.parse(readFileSync(lock, 'utf8'))
  const nodeFolder = join(cache ?? '', `node-${version}`)
  return startProgram({
    path: () => fileURLToPath(new URL('../petstore.js', import.meta.url)),
    args,
    nodeFolder,
    needs: { withDev: false, isTypeScript: false, isInMemory: needsNoDisk(args) },
    install: async ({ nodePackage, lack }) => {
      if (nodePackage === undefined) return
      if (cache === undefined) {
        throw new LaunchError(
          'notInstalled',
          `Node ${process.versions.node} is too old, and no folder can be written to install Node ${version}: set XDG_CACHE_HOME, or install Node 24.16 or newer.`,
        )
      }
      mkdirSync(nodeFolder, { recursive: true, mode: 0o700 })
      provide(lock, join(nodeFolder, 'package-lock.json'))
      provide(new URL('./node-package.json', import.meta.url), join(nodeFolder, 'package.json'))
      forgetProjectOfNpm()
      // Without a home, npm has no cache of its own.
      if (cache.startsWith(tmpdir())) process.env.npm_config_cache ??= join(cache, 'npm')
      await installWhatIsMissing(
        nodeFolder,
        { withDev: false, nodePackage },
        `Fetching Node ${version} (${nodeSizeMb} MB) into ${nodeFolder}, since Node ${process.versions.node} ${lack} …`,
        'is this machine online? Else install Node 24.16 or newer, or run npx petstore-service --version once where there is a network.',
      )
    },
  })
}

/** The first words of commands that use no store. */
const overHttp =
  /^(?:categories|complete|completion|inventory|login|logout|orders|pets|profiles|service)$/

/** Knows the spelling of `startPetstore` and the guides. With any other, the store runs on the Node for stores on disk. */
function needsNoDisk([command = '', ...options]) {
  return overHttp.test(command) || (command === 'serve' && options.includes('--ephemeral'))
}

/** A copy would be as read-only as the package may be, and the next start could not replace it. */
function provide(from, to) {
  const content = readFileSync(from)
  if (existsSync(to) && readFileSync(to).equals(content)) return
  // At once: another start may be reading it.
  const unfinished = `${to}.${process.pid}`
  writeFileSync(unfinished, content)
  renameSync(unfinished, to)
}

/** A third of a start is compilation. The Node that is fetched inherits the variable. */
function cacheCompiledModules(cache) {
  if (cache === undefined || process.env.NODE_COMPILE_CACHE !== undefined) return
  const compiled = join(cache, 'compiled')
  nodeModule.enableCompileCache?.(compiled)
  process.env.NODE_COMPILE_CACHE = compiled
}

/** Below `npm run` or `npx`, npm passes on how it was started, such as in which workspace; its registry and proxy stay. */
function forgetProjectOfNpm() {
  const ofProject =
    /^npm_config_(?:workspaces?|include_workspace_root|global|location|prefix|local_prefix|dry_run|package_lock|package_lock_only|package|call|omit|only|include|ignore_scripts|offline)$/i
  for (const name of Object.keys(process.env)) {
    if (ofProject.test(name)) delete process.env[name]
  }
}
