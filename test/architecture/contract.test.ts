import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { modulesOf } from './modules.ts'
import { type Files, itHolds } from './repository.ts'

/** What a client without dependencies, or a page, can load. */
const importFree = ['error-codes', 'int64', 'int64-json', 'paging', 'scopes', 'tags', 'text-rules']

/**
 * Modules of a contract that import, directly or not, more than TypeBox and other such modules; each with the first
 * such import.
 */
function findHeavyContracts(files: Files): string[] {
  const modules = new Map(modulesOf(files).map((module) => [module.path, module]))
  const isContract = (path: string) =>
    /^src\/(?:contract\/[^/]+|features\/\w+\/(?:contract|routes|order-status|pet-status|stock))\.ts$/.test(
      path,
    ) && !path.endsWith('.test.ts')
  return [...modules.values()]
    .filter(({ path }) => isContract(path))
    .flatMap(({ path, imports }) => {
      const heavy = imports.find(
        ({ specifier, target }) => specifier !== 'typebox' && !(target && isContract(target)),
      )
      return heavy
        ? [`${path} imports ${heavy.specifier}: a contract is data that a page can load.`]
        : []
    })
}

function findImports(files: Files): string[] {
  const kit = importFree.map((name) => `src/contract/${name}.ts`)
  const isFree = (path: string) =>
    kit.includes(path) || /^src\/features\/\w+\/routes\.ts$/.test(path)
  return modulesOf(files)
    .filter(({ path, imports }) => isFree(path) && imports.length > 0)
    .map(({ path }) => `${path} imports something: it is for clients without dependencies.`)
}

itHolds('a contract imports TypeBox and other contracts alone', findHeavyContracts, [
  { 'src/features/pets/contract.ts': "import { compileCheck } from '../http/schema.ts'" },
  { 'src/contract/schemas.ts': "import { Ajv } from 'ajv'" },
])

itHolds('the parts of the kit that clients load import nothing', findImports, [
  { 'src/contract/int64.ts': "import Type from 'typebox'" },
])

it('the parts without imports exist', async () => {
  for (const name of importFree) {
    assert.notDeepEqual(Object.keys(await import(`../../src/contract/${name}.ts`)), [], name)
  }
})

// TypeBox takes longer to load than everything else that a worker thread needs.
it('worker threads load no schemas', async () => {
  const loadStorage = `
    const { registerHooks } = require('node:module')
    const { parentPort, workerData } = require('node:worker_threads')
    const urls = []
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
    import(workerData).then(() => parentPort.postMessage(urls))`
  const workerData = new URL('../../src/app/storage.ts', import.meta.url).href
  const worker = new Worker(loadStorage, { eval: true, workerData })
  const [urls] = (await once(worker, 'message')) as [string[]]

  assert.ok(urls.some((url) => url.endsWith('/src/features/orders/storage.ts')))
  assert.deepEqual(
    urls.filter((url) => url.includes('/node_modules/') || url.endsWith('/contract.ts')),
    [],
  )
})
