import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the package that has the tools. */
export const packagesFolder = dirname(import.meta.dirname)

type PackageJson = { version: string; bin?: string | Record<string, string> }

/** The version of a package that is installed for the tools. */
export function versionOf(name: string): string {
  return packageJson(name).version
}

/** The path of a command that a package brings. */
export function commandOf(name: string, command: string): string {
  const { bin = {} } = packageJson(name)
  const path = typeof bin === 'string' ? bin : bin[command]
  if (path === undefined) throw new Error(`${name} brings no command ${command}.`)
  return join(packagesFolder, 'node_modules', name, path)
}

function packageJson(name: string): PackageJson {
  const path = join(packagesFolder, 'node_modules', name, 'package.json')
  return JSON.parse(readFileSync(path, 'utf8'))
}
