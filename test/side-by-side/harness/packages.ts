import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the package that has the contenders. */
export const packagesFolder = dirname(import.meta.dirname)

type PackageJson = { version: string; bin?: string | Record<string, string> }

export function folderOf(name: string): string {
  return join(packagesFolder, 'node_modules', name)
}

export function versionOf(name: string): string {
  return packageJson(name).version
}

/** The path of a command that a package brings. */
export function commandOf(name: string, command: string): string {
  const { bin = {} } = packageJson(name)
  const path = typeof bin === 'string' ? bin : bin[command]
  if (path === undefined) throw new Error(`${name} brings no command ${command}.`)
  return join(folderOf(name), path)
}

function packageJson(name: string): PackageJson {
  return JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'))
}
