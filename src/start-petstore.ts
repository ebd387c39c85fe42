import { fileURLToPath } from 'node:url'
import { lackOfMemory } from '../bin/launch/lack-of.js'
import { openPetstore, type Petstore, type PetstoreOptions } from './start-petstore/petstore.ts'
import { startChild } from './start-petstore/start-child.ts'

export type { Petstore, PetstoreOptions } from './start-petstore/petstore.ts'

/** Starts a store in memory. Ready when it resolves; its data is gone when it is closed. */
export async function startPetstore(options: PetstoreOptions = {}): Promise<Petstore> {
  const lack = lackOfMemory(process)
  const { as = lack === undefined ? 'in-process' : 'child' } = options
  return openPetstore(options, async (given) => {
    if (as === 'child') return startChild(executable, given)
    if (lack !== undefined)
      throw new TypeError(`as: 'in-process' needs Node 22.16 or newer: this Node ${lack}.`)
    // Loaded here, since an older Node cannot load it.
    const { startHere } = await import('./start-petstore/start-here.ts')
    return startHere(given)
  })
}

const executable = fileURLToPath(new URL('../bin/petstore', import.meta.url))
