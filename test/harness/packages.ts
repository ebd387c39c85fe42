import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Installs the packages of a folder's lock file where they are missing or older than it. Throws when npm fails. */
export function installPackages(folder: string): void {
  const installed = join(folder, 'node_modules/.package-lock.json')
  const isFresh =
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
  if (isFresh) return
  // Not `npm ci`: it refuses a lock file without those optional packages of other platforms that a registry lacks.
  const { status } = spawnSync('npm', ['install', '--no-save'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error(`npm install failed in ${folder}.`)
}
