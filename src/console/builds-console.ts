import { existsSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { isInMemory } from '../db/open.ts'

const source = new URL('../../console/package.json', import.meta.url)

/** Whether this process builds the console when it is opened: in a working copy, unless the store is in memory. */
export function buildsConsole({ console, database }: Config): boolean {
  return console === 'on' && !isInMemory(database) && existsSync(source)
}
