import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { it } from 'node:test'
import { circlesIn } from './find-circles.ts'
import { type Module, modulesOf } from './modules.ts'
import { type Files, itHolds } from './repository.ts'

const lineCountMax = 300

/** Files that are started, or served to browsers, rather than imported. */
const entryPoints = [
  'tools/check.ts',
  'tools/check/report-failures.ts',
  'tools/check/report-skips.ts',
  'tools/generate.ts',
  'bin/installed.js',
  'bin/launch.js',
  'bin/petstore.js',
  'client/src/index.ts',
  'console/src/main.tsx',
  'src/console/page/pending.js',
  'src/pages/assets/guide.js',
  'src/pages/assets/reference.js',
  'src/start-petstore.ts',
  'src/start-petstore/require.ts',
  'test/campaigns/console.ts',
  'test/campaigns/copies.ts',
  'test/campaigns/packages.ts',
  'test/campaigns/processes.ts',
  'test/campaigns/rounds.ts',
  'test/campaigns/kills.ts',
  'test/campaigns/metrics.ts',
  'test/campaigns/mutants.ts',
  'test/campaigns/picture.ts',
  'test/campaigns/postgres.ts',
  'test/campaigns/fleet.ts',
  'test/processes/link-worker.ts',
  'test/campaigns/recipes.ts',
  'test/campaigns/searches.ts',
  'test/campaigns/container.ts',
  'test/campaigns/commands.ts',
  'test/campaigns/sizes.ts',
  'test/campaigns/streams.ts',
  'test/campaigns/read-streams.ts',
  'test/campaigns/canaries.ts',
  'test/campaigns/canary-keys.js',
  'test/campaigns/overload.ts',
  'test/campaigns/send-load.ts',
  'test/campaigns/wrong-keys.ts',
  'test/campaigns/send-wrong-keys.ts',
  'test/campaigns/imports.ts',
  'test/campaigns/webhooks.ts',
  'test/campaigns/receive-webhooks.ts',
  'test/interface/coverage.ts',
  'test/client/scenario.js',
  'test/harness/typescript-5.ts',
  'test/tools/clients/hey-api.ts',
  'test/tools/clients/openapi-fetch.ts',
  'test/tools/clients/orval.ts',
  'test/tools/clients/swagger-client.ts',
  'test/tools/clients/swagger-typescript-api.ts',
  'test/tools/clients/int64/fetch.ts',
  'test/tools/clients/int64/hey-api.ts',
  'test/tools/clients/int64/openapi-fetch.ts',
  'test/tools/clients/int64/orval.ts',
  'test/tools/clients/int64/petstore-client.ts',
  'test/tools/clients/int64/swagger-client.ts',
  'test/tools/clients/int64/swagger-typescript-api.ts',
  'test/tools/clients/int64/as-is/fetch/int64.ts',
  'test/tools/clients/int64/as-is/hey-api/client.ts',
  'test/tools/clients/int64/as-is/openapi-fetch/client.ts',
  'test/tools/clients/int64/as-is/swagger-typescript-api/client.ts',
  'test/tools/run.ts',
]

function findLongFiles(files: Files): string[] {
  const written = modulesOf(files).filter(({ path }) => !path.startsWith('client/src/generated/'))
  return written.flatMap(({ path }) => {
    const lineCount = (files.get(path) ?? '').split('\n').length - 1
    if (lineCount <= lineCountMax) return []
    return [`${path} has ${lineCount} lines, more than ${lineCountMax}: split it by what it does.`]
  })
}

function findCircles(files: Files): string[] {
  const graph = new Map(
    modulesOf(files).map(({ path, imports }) => [
      path,
      imports.flatMap(({ target }) => target ?? []),
    ]),
  )
  return circlesIn(graph).map(
    (circle) => `${circle.join(' → ')} is a circle: move what both need to a third file.`,
  )
}

function findUnusedExports(files: Files): string[] {
  const modules = modulesOf(files)
  const importedOnes = modules.filter(({ path, isTest }) => !isTest && !entryPoints.includes(path))
  const all = modules.flatMap((importer) => importer.imports.map((one) => ({ ...one, importer })))
  const importsOf = Map.groupBy(all, ({ target }) => target)
  return importedOnes.flatMap((module) => {
    const imports = (importsOf.get(module.path) ?? []).filter(({ importer }) =>
      countsAsImporter(importer, module),
    )
    if (imports.length === 0) {
      return [`${module.path} is imported by nobody: delete it, or list it under entryPoints.`]
    }
    const used = imports.flatMap(({ names }) => names)
    if (imports.some(({ names }) => names === 'all')) return []
    const unused = module.exports.filter((name) => !used.includes(name))
    return unused.map(
      (name) => `${module.path} exports ${name}, but nobody imports it: keep it private.`,
    )
  })
}

// A test alone does not keep a source file in use.
function countsAsImporter(importer: Module, { path }: Module): boolean {
  const isOwnTest = importer.path === path.replace(/\.[jt]s$/, '.test.ts')
  return path.startsWith('test/') || !isOwnTest
}

function findBarrels(files: Files): string[] {
  return modulesOf(files).flatMap(({ path, code }) => {
    const own = code.replaceAll(/^(?:import|export)\b[^;'"]*?\bfrom\s+'\d+'/gm, '').trim()
    const reExports = /^export\s+(?:type\s+)?[{*][^'"]*?\bfrom\s+'\d+'/m.test(code)
    if (own !== '' || !reExports) return []
    return [`${path} only passes on what others export: import those files directly.`]
  })
}

function findAliases(files: Files): string[] {
  return modulesOf(files).flatMap(({ path, imports }) => {
    const packages = packagesFor(path, files)
    const isPlain = (specifier: string) =>
      /^(?:\.{1,2}\/|node:)/.test(specifier) ||
      packages.some((name) => specifier === name || specifier.startsWith(`${name}/`))
    const aliases = imports.filter(({ specifier }) => !isPlain(specifier))
    return aliases.map(
      ({ specifier }) =>
        `${path} imports '${specifier}', neither a relative path nor a package of package.json.`,
    )
  })
}

/** The dependencies of the nearest package.json. */
function packagesFor(path: string, files: Files): string[] {
  const folder = posix.dirname(path)
  const text = files.get(posix.join(folder, 'package.json'))
  if (text === undefined && folder !== '.') return packagesFor(folder, files)
  const { dependencies, devDependencies } = JSON.parse(text ?? '{}')
  return Object.keys({ ...dependencies, ...devDependencies })
}

itHolds(`no source file is longer than ${lineCountMax} lines`, findLongFiles, [
  { 'src/long.ts': '\n'.repeat(lineCountMax + 1) },
])

itHolds('no imports form a circle', findCircles, [
  {
    'src/a.ts': "import { b } from './pets/b.ts'",
    'src/pets/b.ts': "import type { A } from '../c.ts'",
    'src/c.ts': "export { a } from './a.ts'",
  },
  { 'src/a.ts': "import {\n  a,\n} from './a.ts'" },
])

itHolds('every export is imported', findUnusedExports, [
  { 'src/a.ts': 'export const a = 1' },
  {
    'src/a.ts': 'export const a = 1\nexport async function* b() {}',
    'bin/petstore.js': "import { a } from '../src/a.ts'",
  },
  {
    'src/a.ts': 'export type A = 1\ntype B = 2\nexport type { B as C }',
    'bin/petstore.js': "import type { A as C } from '../src/a.ts'",
  },
  { 'src/a.ts': 'export class A {}', 'src/a.test.ts': "import { A } from './a.ts'" },
])

itHolds('no file only re-exports', findBarrels, [
  { 'src/index.ts': "export { a } from './a.ts'\nexport * from './b.ts'" },
  { 'src/index.ts': "// all\nexport type {\n  A,\n} from './a.ts'" },
])

itHolds('imports are relative, or of a package that package.json names', findAliases, [
  { 'src/a.ts': "import { b } from '@/b.ts'" },
  { 'src/a.ts': "const b = await import('#b')" },
  { 'package.json': '{"dependencies":{"ajv":"8"}}', 'src/a.ts': "import 'ajv-formats'" },
  {
    'package.json': '{"dependencies":{"ajv":"8"}}',
    'test/tools/package.json': '{"dependencies":{"zod":"4"}}',
    'test/tools/clients/a.ts': "import 'zod'\nimport 'ajv'",
  },
])

it('reads modules past comments, strings, templates and regular expressions', () => {
  const source = [
    "// import './commented.ts'",
    "const quote = /['\"`/]/g; const half = a / 2 // it's",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source to be read
    "const nested = `import './text.ts' ${f({ a: `}${'x'}` })} /* kept */`",
    "import real, { type One, two as three } from './real.ts'",
    "new Worker(new URL('./worker.ts', import.meta.url))",
  ].join('\n')

  const [module] = modulesOf(new Map([['src/a.ts', source]]))

  assert.deepEqual(module?.imports, [
    { specifier: './real.ts', target: 'src/real.ts', names: ['default', 'One', 'two'] },
    { specifier: './worker.ts', target: 'src/worker.ts', names: 'all' },
  ])
  assert.ok(module?.literals.includes("import './text.ts' ? /* kept */"))
})
