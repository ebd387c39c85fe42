/** npm run build:package -- [FOLDER]. Writes the npm package petstore-service, ready to be packed: dist/package/ by default. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { guides } from '../src/pages/guides/guides.ts'
import { bundle } from './package/bundle.ts'
import { compile } from './package/compile.ts'
import { controlTypes } from './package/control-types.ts'
import { keepPublicTypes, keepRequired } from './package/keep-reachable.ts'
import { packageManifest } from './package/manifest.ts'
import { rewriteDeclaration } from './package/rewrite.ts'
import { thirdPartyNotices } from './package/third-party-notices.ts'

const root = join(import.meta.dirname, '..')
const folder = resolve(process.argv[2] ?? join(root, 'dist/package'))

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const readJson = (path: string) => JSON.parse(read(path))
const copy = (path: string) => cpSync(join(root, path), join(folder, path), { recursive: true })

function write(path: string, content: string | object) {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true })
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`
  writeFileSync(target, text)
}

rmSync(folder, { recursive: true, force: true })
// The first two keep compiled code, and then load the next two; the last two are loaded by their addresses.
const entries = {
  'bin/petstore': 'bin/petstore.js',
  'src/start-petstore': 'src/start-petstore.ts',
  'lib/main': 'src/cli/main.ts',
  'lib/start-here': 'src/start-petstore/start-here.ts',
  'lib/timers': 'src/timers.ts',
  'lib/worker': 'src/db/sqlite/serving/worker.ts',
  'lib/admin-worker': 'src/admin/worker.ts',
}
const packages = await bundle(entries, folder)
compile(['src/start-petstore.ts'], folder, { emitDeclarationOnly: true })
compile(['src/start-petstore/require.ts'], join(folder, 'require'), {
  module: 'commonjs',
  moduleResolution: 'bundler',
  verbatimModuleSyntax: false,
  target: 'es2022',
})
for (const path of globSync('**/*.d.ts', { cwd: folder })) {
  write(path, rewriteDeclaration(readFileSync(join(folder, path), 'utf8')))
}
for (const below of ['', 'require/']) write(`${below}src/test-bench/contract.d.ts`, controlTypes())
keepPublicTypes(folder, ['src/start-petstore.d.ts', 'require/src/start-petstore/require.d.ts'])
keepRequired(join(folder, 'require'), 'src/start-petstore/require.js')

write('bin/petstore', "#!/usr/bin/env node\nimport './petstore.js'\n")
chmodSync(join(folder, 'bin/petstore'), 0o755)
write('require/package.json', { type: 'commonjs' })
write('package.json', packageManifest(readJson('package.json')))
write('README.md', read('tools/package/README.md'))
copyConsole()
write('THIRD-PARTY.md', thirdPartyNotices(root, packages))
const copied = [
  ...['LICENSE', 'CHANGELOG.md', 'openapi.json', 'migrations'],
  ...['docs/README.md', 'docs/examples'],
  ...['src/admin/seed/photos', 'src/console/page', 'src/pages/assets', 'src/pages/tokens.css'],
  ...guides.map(({ path }) => path),
]
for (const path of copied) copy(path)
console.log(`The package is in ${relative(process.cwd(), folder)}.`)

/** The package carries the console built: it never builds. */
function copyConsole() {
  execFileSync(process.execPath, [join(root, 'bin/launch/build-console.js')], { stdio: 'inherit' })
  copy('console/dist')
}
