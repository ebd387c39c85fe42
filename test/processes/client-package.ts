import { execFileSync } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { startPetstore } from '../../src/start-petstore.ts'
import { launchBrowser } from '../harness/browser.ts'
import { listen } from '../harness/listen.ts'
import { installPackages } from '../harness/packages.ts'
import { run } from '../tools/harness/run.ts'
import { type HttpFaultProxy, startHttpFaults } from './http-faults.ts'
import { repositoryRoot } from './process.ts'

const clientFolder = join(repositoryRoot, 'client')
const runtimesFolder = join(repositoryRoot, 'test/client/runtimes')
const scenario = readFileSync(join(repositoryRoot, 'test/client/scenario.js'), 'utf8')

const runtime = (path: string) => join(runtimesFolder, 'node_modules', path)
/** Each with its arguments before the path of a module. */
const platforms: Record<string, [program: string, ...args: string[]]> = {
  'node 20.0': [runtime('node-20/bin/node')],
  'node 22': [runtime('node-22/bin/node')],
  'node 24': [runtime('node-24/bin/node')],
  'node 26': [process.execPath],
  bun: [runtime('@oven/bun-linux-x64/bin/bun'), 'run'],
  deno: [runtime('@deno/linux-x64-glibc/deno'), 'run', '--allow-net', '--allow-env'],
}

/** Builds and packs the client, installs it in an empty folder, and uses it there. Yields a line for each thing that holds. */
export async function* tryPackage(isWanted: (part: string) => boolean): AsyncGenerator<string> {
  if (!isWanted('package') && !isWanted('browser')) return
  installPackages(clientFolder)
  installPackages(runtimesFolder)
  using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore client '))
  await using store = await startPetstore()
  const proxy = await startHttpFaults(store.baseUrl)
  try {
    install(folder.path)
    if (isWanted('package')) {
      yield describeSize()
      yield await checkTypes(folder.path)
      for (const name of Object.keys(platforms)) {
        loseFirstAnswer(proxy)
        yield `${name}: ${await runOn(name, folder.path, { baseUrl: proxy.baseUrl, key: store.key })}`
      }
    }
    if (isWanted('browser')) {
      loseFirstAnswer(proxy)
      yield `browser: ${await runInBrowser(folder.path, { baseUrl: proxy.baseUrl, key: store.key })}`
    }
  } finally {
    await proxy.close()
  }
}

type Access = { baseUrl: string; key: string }

/** The answer to the first POST is lost once it was performed. */
function loseFirstAnswer(proxy: HttpFaultProxy) {
  let isLost = false
  proxy.decide = ({ method }) => {
    if (method !== 'POST' || isLost) return undefined
    isLost = true
    return 'cut after'
  }
}

function install(folder: string) {
  const npm = (args: string[], cwd: string) =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  // The settings of this repository run no scripts such as prepack.
  npm(['run', 'build'], clientFolder)
  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], clientFolder))
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  npm(['install', '--offline', `./${packed.filename}`], folder)
  writeFileSync(join(folder, 'scenario.mjs'), scenario)
}

function describeSize(): string {
  const esbuild = join(clientFolder, 'node_modules/.bin/esbuild')
  const args = ['src/index.ts', '--bundle', '--minify', '--format=esm', '--target=es2022']
  const minified = execFileSync(esbuild, args, { cwd: clientFolder })
  const [gzip, brotli] = [gzipSync(minified).length, brotliCompressSync(minified).length]
  if (gzip > 12_000) throw new Error(`The client has ${gzip} bytes, minified and compressed.`)
  return `size: ${minified.length} bytes minified, ${gzip} with gzip, ${brotli} with br`
}

const moduleSettings = [{ module: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }]
const strict = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
}

/** TypeScript 5 and 7 compile a program, with the library of browsers alone. */
async function checkTypes(folder: string): Promise<string> {
  writeFileSync(join(folder, 'program.mts'), program)
  const compilers = [
    runtime('typescript-5/bin/tsc'),
    join(clientFolder, 'node_modules/typescript/bin/tsc'),
  ]
  for (const compiler of compilers) {
    for (const modules of moduleSettings) {
      const compilerOptions = { ...strict, ...modules }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
      const { exitCode, output } = await run(process.execPath, [compiler, '-p', '.'], folder)
      if (exitCode !== 0) throw new Error(`${compiler} ${JSON.stringify(modules)}\n${output}`)
    }
  }
  return 'types: TypeScript 5 and 7 compile a strict program'
}

const program = `import { type Pet, PetstoreApiError, PetstoreClient } from 'petstore-client'
const client = new PetstoreClient({ key: 'pet_test_x' })
const pet: Pet = await client.pets.create({ name: 'Rex', categoryId: 7n })
const id: number | bigint = pet.id
const status: 'available' | 'pending' | 'sold' | undefined = pet.status
const unchanged: Pet | undefined = await client.pets.get(id, { ifNoneMatch: '"a"' })
for await (const order of client.orders.list({ petId: id })) console.log(order.createdAt, status, unchanged)
// @ts-expect-error: a name is a string
client.pets.create({ name: 7, categoryId: 7 }).catch((e) => e instanceof PetstoreApiError && e.code === 'not_found')
// @ts-expect-error: a change of the inventory is no creation
client.inventory.update(1, { quantity: 1 }, { idempotencyKey: 'a' })
export {}
`

async function runOn(name: string, folder: string, access: Access): Promise<string> {
  const [command = '', ...args] = platforms[name] ?? []
  const main = join(folder, 'main.mjs')
  writeFileSync(
    main,
    `import * as client from 'petstore-client'
import { useClient } from './scenario.mjs'
console.log(await useClient(client, ${JSON.stringify(access)}))\n`,
  )
  const { exitCode, output } = await run(command, [...args, main], folder)
  if (exitCode !== 0) throw new Error(`${name} ended with ${exitCode}:\n${output}`)
  return output.trim()
}

/** A page of another origin loads the published module as it is. */
async function runInBrowser(folder: string, access: Access): Promise<string> {
  const files: Record<string, [type: string, text: string]> = {
    '/': ['text/html', '<!doctype html><title>client</title>'],
    '/scenario.js': ['text/javascript', scenario],
    '/client.js': [
      'text/javascript',
      readFileSync(join(folder, 'node_modules/petstore-client/dist/index.js'), 'utf8'),
    ],
  }
  const server = http.createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? ['text/plain', '']
    response.writeHead(text === '' ? 404 : 200, { 'content-type': type }).end(text)
  })
  const port = await listen(server)
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    const { done, relative } = await page.evaluate(async (given) => {
      const load = (path: string) => import(path)
      const [client, { useClient }] = await Promise.all([load('/client.js'), load('/scenario.js')])
      const done: string = await useClient(client, given)
      const sent: string[] = []
      const fetch = (url: string) => Promise.reject(sent.push(url))
      const ofPage = new client.PetstoreClient({ ...given, baseUrl: '/v1', maxRetries: 0, fetch })
      await ofPage.orders.get(7).catch(() => undefined)
      return { done, relative: sent[0] }
    }, access)
    if (relative !== `http://127.0.0.1:${port}/v1/store/orders/7`) {
      throw new Error(`The base address /v1 led to ${relative}.`)
    }
    return `Chromium ${browser.version()}, ${done}`
  } finally {
    await browser.close()
    server.close()
  }
}
