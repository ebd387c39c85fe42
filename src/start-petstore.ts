import { fileURLToPath } from 'node:url'
import { keepCompiledCode } from '../bin/launch/load-quickly.js'
import { problemWithNode } from '../bin/launch/node-version.js'
import { openPetstore, type Petstore, type PetstoreOptions } from './start-petstore/petstore.ts'
import { startChild } from './start-petstore/start-child.ts'

export type { Petstore, PetstoreOptions } from './start-petstore/petstore.ts'

/** Starts a store in memory. Ready when it resolves; its data is gone when it is closed. */
export async function startPetstore(options: PetstoreOptions = {}): Promise<Petstore> {
  const problem = problemWithNode('memory')
  const { as = problem === undefined ? 'in-process' : 'child' } = options
  return openPetstore(options, async (given) => {
    if (as === 'child') return startChild(executable, given)
    if (problem !== undefined) throw new TypeError(`as: 'in-process' is not possible. ${problem}`)
    keepCompiledCode()
    // Loaded here, since an older Node cannot load it.
    const { startHere } = await import('./start-petstore/start-here.ts')
    return startHere(given)
  })
}

const executable = fileURLToPath(new URL('../bin/petstore', import.meta.url))
