import { join } from 'node:path'
import { openPetstore, type Petstore, type PetstoreOptions } from './petstore.ts'
import { startChild } from './start-child.ts'

export type { Petstore, PetstoreOptions } from './petstore.ts'

/** What `require` gives: it always starts a child, and loads no ES module, which Jest for one cannot load. */
export async function startPetstore(options: PetstoreOptions = {}): Promise<Petstore> {
  if (options.as === 'in-process') {
    throw new TypeError("as: 'in-process' needs `import`; `require` starts a child.")
  }
  return openPetstore(options, (given) => startChild(executable, given))
}

const executable = join(__dirname, '../../../bin/petstore')
