import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { controlTypes } from '../tools/package/control-types.ts'
import { packageManifest } from '../tools/package/manifest.ts'
import { rewriteDeclaration, rewriteModule } from '../tools/package/rewrite.ts'
import { noticesOf } from '../tools/package/third-party-notices.ts'

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

it('the package depends on no other, so that an install is one package', () => {
  const { dependencies, engines, exports, bin, license } = packageManifest(readJson('package.json'))

  assert.equal(dependencies, undefined)
  assert.deepEqual([bin, engines], [{ petstore: 'bin/petstore' }, { node: '>=22.16' }])
  assert.equal(license, 'MIT')
  assert.deepEqual(Object.keys((exports as Record<string, object>)['.'] ?? {}), [
    'import',
    'require',
  ])
})

it('modules and declarations of the package name the files that it has', () => {
  const outputs = new Map([['src/db/worker.ts', 'lib/worker']])
  const address = `const page = new URL('page.html', import.meta.url)`
  const key = readFileSync('src/pages/reference/get-key.ts', 'utf8')
  const load = "new Worker(new URL('./worker.ts', import.meta.url))"

  assert.match(
    rewriteModule(address, 'src/pages/page.ts', outputs),
    /new URL\('page\.html', new URL\('\.\.\/src\/pages\/page\.ts', import/,
  )
  assert.match(rewriteModule(key, 'src/pages/reference/get-key.ts', outputs), /`npx petstore-serv/)
  assert.equal(
    rewriteModule(load, 'src/db/client.ts', outputs),
    "new Worker(new URL('../lib/worker.js', import.meta.url))",
  )
  assert.throws(() => rewriteModule(load, 'src/other.ts', outputs), /loads \.\/worker\.ts/)
  assert.equal(
    rewriteDeclaration("import type { A } from './a.ts'"),
    "import type { A } from './a.js'",
  )
})

it('the package names what it carries of others, each with the text of its licence', () => {
  const text = noticesOf('.', ['node_modules/fastify', 'node_modules/pg-types'])

  assert.match(
    text,
    /^## fastify [\d.]+, MIT\n\nIn the modules of `lib\/`\.\n\n```text\nMIT License/m,
  )
  assert.match(text, /^## pg-types [\d.]+, MIT\n[^#]*Copyright \(c\) Brian M\. Carlson\n/m)
})

it('the types of the package need no TypeBox: they are made from the schemas', () => {
  const types = controlTypes()

  assert.match(types, /^export type NewFault = \{$/m)
  assert.match(types, /cut\?: 'before' \| 'after' \| 'headers' \| 'body' \| undefined/)
  assert.match(types, /scopes\?: readonly \('pets:read' \| /)
})
