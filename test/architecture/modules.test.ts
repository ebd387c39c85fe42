import { circlesIn } from './find-circles.ts'
import { type Module, modulesOf } from './modules.ts'
import { type Files, itHolds } from './repository.ts'

/** Files that are served to browsers, loaded by a program of others, or started by a test, rather than imported. */
const entryPoints = [
  'tools/check/report-failures.ts',
  'tools/check/report-skips.ts',
  'bin/launch.js',
  'bin/petstore.js',
  'client/src/index.ts',
  'console/src/main.tsx',
  'src/console/page/pending.js',
  'src/pages/assets/guide.js',
  'src/pages/assets/reference.js',
  'src/start-petstore.ts',
  'src/start-petstore/require.ts',
  'test/campaigns/canary-keys.js',
  'test/campaigns/send-everything.ts',
  'test/campaigns/send-load.ts',
  'test/interface/coverage.ts',
  'test/processes/link-worker.ts',
]
const isTool = (path: string) => /^test\/tools\/(?:workflow\.js|clients\/)/.test(path)

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
  const scripts = files.get('package.json') ?? ''
  const isStarted = (path: string) =>
    entryPoints.includes(path) || isTool(path) || scripts.includes(` ${path}`)
  const importedOnes = modules.filter(({ path, isTest }) => !isTest && !isStarted(path))
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
