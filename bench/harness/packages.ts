import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const bench = join(import.meta.dirname, '..')

/** Installs the contenders where they are missing or older than the lockfile. Throws when npm fails. */
export function installPackages(): void {
  const installed = join(bench, 'node_modules/.package-lock.json')
  const isFresh =
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(join(bench, 'package-lock.json')).mtimeMs
  if (isFresh) return
  const { status } = spawnSync('npm', ['ci'], {
    cwd: bench,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error('npm ci failed in bench/.')
}

/** The program that Bun's platform package brings: its own install script does not run. */
export function findBun(): string {
  const folder = join(bench, 'node_modules/@oven')
  const [name] = existsSync(folder) ? readdirSync(folder) : []
  if (name === undefined) throw new Error('There is no Bun for this machine among the packages.')
  return join(folder, name, 'bin/bun')
}
