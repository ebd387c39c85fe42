import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from '../../test/harness/packages.ts'

const bench = join(import.meta.dirname, '..')

/** Installs the contenders unless they are as new as the lock file. Throws when npm fails. */
export function installContenders(): void {
  installPackages(bench)
}

/** The executable in Bun's platform package; the install script of `bun` itself does not run. */
export function findBun(): string {
  const folder = join(bench, 'node_modules/@oven')
  const [name] = existsSync(folder) ? readdirSync(folder) : []
  if (name === undefined) throw new Error('There is no Bun for this machine among the packages.')
  return join(folder, name, 'bin/bun')
}
