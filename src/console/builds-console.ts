import { existsSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { isInMemory } from '../db/open.ts'

const source = new URL('../../console/package.json', import.meta.url)

/**
 * Whether this process builds the console when it is opened: in a working copy, unless the store is in memory, or has an
 * address for others, whose requests a proxy may send from this machine.
 */
export function buildsConsole({ console, database, publicUrl }: Config): boolean {
  const isPrivate = publicUrl === undefined && !isInMemory(database)
  return console === 'on' && isPrivate && existsSync(source)
}
