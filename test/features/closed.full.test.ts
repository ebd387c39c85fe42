import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { repositoryRoot } from '../processes/process.ts'
import { workingCopy } from '../processes/working-copy.ts'
import { addSuppliers } from './suppliers.ts'

const compile = ['node_modules/.bin/tsc', '--noEmit', '--project']

it('the feature of docs/examples/suppliers: its client, its types, its page, its document, and the rules of the source', {}, (t) => {
  const root = workingCopy()
  t.after(() => rmSync(root, { recursive: true, force: true }))
  addSuppliers(root)
  // Installs the packages of the console where they are missing.
  execFileSync(process.execPath, ['bin/launch/build-console.js'], { cwd: repositoryRoot })
  symlinkSync(join(repositoryRoot, 'console/node_modules'), join(root, 'console/node_modules'))
  // Within a test, `node --test` runs nothing unless this is absent.
  // The expressions of the source itself are analysed by the tests of this tree.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, TEST_EXTENT: undefined }
  const run = (...args: string[]) => {
    try {
      execFileSync(process.execPath, args, { cwd: root, env, encoding: 'utf8', stdio: 'pipe' })
    } catch (error) {
      assert.fail(`node ${args.join(' ')}\n${(error as { stdout: string }).stdout}`)
    }
  }

  run('tools/generate.ts')
  run(...compile, '.')
  run(...compile, 'console')
  const rules = globSync('test/architecture/*.test.ts', { cwd: root })
  const ofDocument = ['document', 'examples', 'portability', 'shapes']
  const tests = ofDocument.map((name) => `test/interface/${name}.test.ts`)
  // The limit is that of the features that there are.
  run('--test', '--test-skip-pattern=at most 250,000 bytes', ...rules, ...tests)

  const generated = (name: string) =>
    readFileSync(join(root, `client/src/generated/${name}.ts`), 'utf8')
  assert.match(generated('suppliers'), /^ {2}create\(/m)
  assert.match(generated('scopes'), /'suppliers:write'/)
})
