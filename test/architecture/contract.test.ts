import assert from 'node:assert/strict'
import { once } from 'node:events'
import { it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { modulesOf } from './modules.ts'
import { type Files, itHolds } from './repository.ts'

/** What a client without dependencies, or a page, can load. */
const importFree = [
  'error-codes',
  'int64',
  'int64-json',
  'key-text',
  'paging',
  'tags',
  'text-rules',
]

/** The only module that names TypeBox: it borrows its types. */
const borrower = 'src/contract/type.ts'

/** Modules of a contract that import more than other such modules; each with the first such import. */
function findHeavyContracts(files: Files): string[] {
  const modules = new Map(modulesOf(files).map((module) => [module.path, module]))
  const isContract = (path: string) =>
    /^src\/(?:contract\/[^/]+|features\/\w+\/(?:contract|order-status|pet-status|stock))\.ts$/.test(
      path,
    ) && !path.endsWith('.test.ts')
  return [...modules.values()]
    .filter(({ path }) => isContract(path))
    .flatMap(({ path, imports }) => {
      const heavy = imports.find(
        ({ specifier, target }) =>
          !(target && isContract(target)) && !(specifier === 'typebox' && path === borrower),
      )
      return heavy
        ? [`${path} imports ${heavy.specifier}: a contract is data that a page can load.`]
        : []
    })
}

function findImports(files: Files): string[] {
  const kit = importFree.map((name) => `src/contract/${name}.ts`)
  return modulesOf(files)
    .filter(({ path, imports }) => kit.includes(path) && imports.length > 0)
    .map(({ path }) => `${path} imports something: it is for clients without dependencies.`)
}

itHolds('a contract imports only other contracts', findHeavyContracts, [
  { 'src/features/pets/contract.ts': "import { compileCheck } from '../http/schema.ts'" },
  { 'src/features/pets/contract.ts': "import Type from 'typebox'" },
  { 'src/contract/schemas.ts': "import { Ajv } from 'ajv'" },
])

itHolds('the parts of src/contract/ that clients load import nothing', findImports, [
  { 'src/contract/int64.ts': "import Type from 'typebox'" },
])

it('worker threads load no packages, and nothing that checks requests', async () => {
  const { urls } = await loadInWorker('src/app/storage.ts')

  assert.ok(urls.some((url) => url.endsWith('/src/features/sales/storage.ts')))
  assert.deepEqual(
    urls.filter((url) => url.includes('/node_modules/') || url.includes('/src/http/')),
    [],
  )
})

// Each of them would be a tenth to a quarter of every start.
it('a start loads neither TypeBox, nor PostgreSQL, nor metrics, nor traces, nor the HTTP client of Node', async () => {
  const { urls, builtIn } = await loadInWorker('src/app/service.ts')

  assert.ok(urls.some((url) => url.includes('/node_modules/fastify/')))
  assert.deepEqual(
    urls.filter((url) =>
      /\/node_modules\/(?:typebox|pg|prom-client|@fastify\/ajv-compiler)\/|\/telemetry\/(?:traces|metrics)\//.test(
        url,
      ),
    ),
    [],
  )
  assert.ok(builtIn.includes('NativeModule http'))
  assert.ok(!builtIn.some((name) => name.includes('undici')))
})

/** What a command over HTTP may load of the source. */
const ofCommands =
  /\/(?:client\/src\/.*|src\/cli\/.*|src\/config\/(?:client-environment|exit-error)|src\/context\/context|src\/contract\/(?:int64-json|paging|sheets)|src\/telemetry\/escape|src\/nearest-name|src\/timers|src\/version|bin\/launch\/node-version)\.(?:ts|js|json)$/

it('a command over HTTP loads no code of the server, and no package', async () => {
  const { urls } = await loadInWorker('src/cli/main.ts', 'src/cli/operations/run-operation.ts')

  assert.ok(urls.some((url) => url.endsWith('/client/src/transport.ts')))
  assert.deepEqual(
    urls.filter((url) => !url.startsWith('node:') && !ofCommands.test(url)),
    [],
  )
})

it('what CommonJS loads of the npm package needs no other package', async () => {
  const start = ['petstore', 'start-child'].map((name) => `src/start-petstore/${name}.ts`)
  const { urls } = await loadInWorker(...start)

  assert.ok(urls.some((url) => url.endsWith('/src/config/config.ts')))
  assert.deepEqual(
    urls.filter((url) => url.includes('/node_modules/')),
    [],
  )
})

/** The modules that imports load: those of files and packages, and those of Node. */
async function loadInWorker(...paths: string[]): Promise<{ urls: string[]; builtIn: string[] }> {
  const load = `
    const { registerHooks } = require('node:module')
    const { parentPort, workerData } = require('node:worker_threads')
    const urls = []
    registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) })
    Promise.all(workerData.map((url) => import(url))).then(() => parentPort.postMessage({ urls, builtIn: process.moduleLoadList }))`
  const workerData = paths.map((path) => new URL(`../../${path}`, import.meta.url).href)
  const worker = new Worker(load, { eval: true, workerData })
  const [loaded] = await once(worker, 'message')
  return loaded
}
