import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import * as client from '../../client/src/index.ts'
import { startPetstore } from '../../src/start-petstore.ts'
import { itInFull } from '../harness/extent.ts'
import { repositoryRoot } from '../processes/process.ts'

const folder = join(repositoryRoot, 'client')
const sizeMaxBytes = 17_000

it('the client is at most 17 kB compressed, with its whole names but without comments', () => {
  const ofContract = [
    'import-limits',
    'int64-json',
    'problem',
    'rows-refused',
    'sheets',
    'split-records',
  ]
  const modules = [
    ...ofContract.map((name) => `src/contract/${name}.ts`),
    ...globSync('client/src/**/*.ts'),
  ]
  const texts = modules.map((path) =>
    stripTypeScriptTypes(readFileSync(join(repositoryRoot, path), 'utf8')),
  )
  const sizeBytes = gzipSync(
    texts
      .join('')
      .replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
      .replaceAll(/\s+/g, ' '),
  ).length

  assert.ok(modules.length > 15)
  assert.ok(sizeBytes > 3_000)
  assert.ok(sizeBytes <= sizeMaxBytes, `${sizeBytes} bytes`)
})

it('the package depends on nothing, and publishes what its exports name', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

  assert.equal(manifest.dependencies, undefined)
  assert.equal(manifest.peerDependencies, undefined)
  assert.match(manifest.exports['.'].default, /^\.\/dist\//)
  assert.ok(manifest.files.includes('dist'))
  for (const file of ['LICENSE', 'README.md', 'CHANGELOG.md']) {
    assert.ok(readFileSync(join(folder, file), 'utf8').length > 100)
  }
  const license = readFileSync(join(repositoryRoot, 'LICENSE'), 'utf8')
  assert.equal(readFileSync(join(folder, 'LICENSE'), 'utf8'), license)
})

itInFull('the client compiles with the library of browsers alone', async () => {
  const tsc = join(repositoryRoot, 'node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, '-p', '.', '--noEmit'], { cwd: folder })
})

it('README.md names every method', () => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const instance = new client.PetstoreClient({ key: 'pet_test_x' })

  const namespaces = Object.entries(instance)
  assert.ok(namespaces.length >= 5)
  for (const [namespace, resource] of namespaces) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`client.${namespace}\``))
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
    for (const name of names.filter((name) => name !== 'constructor')) {
      assert.ok(row?.includes(`\`${name}\``), `README.md does not name client.${namespace}.${name}`)
    }
  }
})

it('README.md: what it shows runs, and prints what it says', async () => {
  await using store = await startPetstore()
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const blocks = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  const index = pathToFileURL(join(folder, 'src/index.ts')).href
  const imports = new Set(blocks.join('').match(/^import .*\n/gm))
  const code = blocks.join('').replaceAll(/^import .*\n/gm, '')
  const shown = [...code.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text]) => text)
  const source = `${[...imports].join('')}import { inspect } from 'node:util'
    export const printed = []
    const show = (value) => (typeof value === 'string' ? value : inspect(value))
    const console = { log: (...values) => printed.push(values.map(show).join(' ')), warn() {} }
    ${code}`
    .replaceAll("'petstore-client'", JSON.stringify(index))
    .replace('http://127.0.0.1:8080/v1', store.baseUrl)
    .replace('pet_live_…', store.key)
  using directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-readme-'))
  const path = join(directory.path, 'readme.mjs')
  writeFileSync(path, source)

  const { printed } = await import(pathToFileURL(path).href)
  assert.ok(blocks.length >= 6)
  assert.deepEqual(printed, shown)
})
