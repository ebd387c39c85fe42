import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob, resolve } from 'node:path'
import { compareSkips } from './check/compare-skips.ts'
import { inMemory } from './check/in-memory.ts'
import { startSharedPostgres, testOnPostgres } from './check/on-postgres.ts'
import { browserTests, shareProcesses, sharingTests } from './check/share-processes.ts'
import { node, nodeAloud, run, type Step } from './check/step.ts'

process.chdir(dirname(import.meta.dirname))

const architectureTests = globSync('test/architecture/**/*.test.ts')
const [isFull, names] = readArguments(process.argv.slice(2))
// Files in which every test is left to `npm run test:all` are named so.
const leftOut = isFull ? [] : ['**/*.full.test.ts']
// They change their process, or run for long: with all cases each has its own. Node's test runner starts files in the order of their paths.
const separateTests = globSync('test/**/*.test.ts', {
  exclude: ['test/architecture/**', sharingTests, '**/node_modules/**', ...leftOut],
})

const workspace = mkdtempSync(join(tmpdir(), 'petstore-check-'))
const skipsPath = join(workspace, 'skips.txt')
const skipsOnPostgresPath = join(workspace, 'skips-on-postgres.txt')
// The tests record the responses that they saw; the contract step reads the record.
process.env.CONTRACT_NOTES = mkdtempSync(join(workspace, 'answers-'))
// The compiler of TypeScript and the bundler are written in Go: fewer collections.
process.env.GOGC ??= '400'
// Biome is written in Rust: with one thread it takes an eighth less, and the other processors have work.
process.env.RAYON_NUM_THREADS ??= '1'
// Without a compile cache, a process spends half of its time compiling. The next run uses it too.
const compileCache = resolve('node_modules/.cache/modules')
const compiledMax = 30_000
process.env.NODE_COMPILE_CACHE = compileCache
process.env.POSTGRES_CACHE = mkdtempSync(join(workspace, 'postgres-'))
process.env.POSTGRES_FOLDER ??= inMemory() ?? tmpdir()

const sourceChecks: Step[] = [
  {
    name: 'lint',
    title: 'the code is formatted and lint-free',
    check: node('node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off'),
  },
  {
    name: 'types',
    title: 'the types agree',
    check: types('.'),
  },
  {
    name: 'architecture',
    title: 'the repository keeps its own rules',
    // In one process, which reads the repository once.
    check: node('--test', '--test-isolation=none', '--test-reporter=spec', ...architectureTests),
  },
  {
    name: 'generated',
    title: 'the generated files are fresh',
    check: node('tools/generate.ts', '--check'),
  },
]

const optionsOfTests = (skips: string) => [
  // Tests leave much garbage and keep little: fewer collections, and no threads for them.
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--initial-old-space-size=400',
  '--single-threaded-gc',
  '--test-concurrency=8',
  // A suite counts as a test: with all cases some take minutes beside the others.
  `--test-timeout=${isFull ? 1_200_000 : 240_000}`,
  '--test-reporter=./tools/check/report-failures.ts',
  '--test-reporter-destination=stdout',
  '--test-reporter=./tools/check/report-skips.ts',
  `--test-reporter-destination=${skips}`,
]

const consoleStep: Step = {
  name: 'console',
  title: 'the console is built, and its types agree',
  check: async () => {
    // With its own packages; the tests in a browser wait for the same build.
    const built = await node('bin/launch/build-console.js')()
    return built || (await types('console')())
  },
}

const onPostgres: Step = {
  name: 'postgres',
  title: 'the tests pass on PostgreSQL',
  check: () => testOnPostgres(workspace, optionsOfTests(skipsOnPostgresPath), { isFull }),
}

const tests: Step = {
  name: 'tests',
  title: 'the tests pass',
  check: () => {
    const sharing = globSync(sharingTests, { exclude: leftOut }).sort()
    const inBrowser = sharing.filter((path) => matchesGlob(path, browserTests))
    const others = sharing.filter((path) => !inBrowser.includes(path))
    const shared = [
      ...shareProcesses(join(workspace, 'browser'), inBrowser, isFull ? 3 : 1),
      ...shareProcesses(join(workspace, 'sqlite'), others, isFull ? 5 : 3),
      ...shareProcesses(join(workspace, 'unshared'), separateTests, isFull ? 5 : 1),
    ]
    return nodeAloud(['--test', ...optionsOfTests(skipsPath), ...shared])
  },
}

/** Steps that read the records of the tests. */
const afterTests: Step[] = [
  {
    name: 'skips',
    title: 'test/skips.txt lists what was skipped',
    check: async () => {
      const listed = readFileSync('test/skips.txt', 'utf8')
      const paths = [skipsPath, skipsOnPostgresPath].filter((path) => existsSync(path))
      const skipped = paths.map((path) => readFileSync(path, 'utf8')).join('')
      return compareSkips(listed, skipped).join('\n')
    },
  },
  {
    name: 'contract',
    title: 'the tests cover the contract',
    check: node('test/interface/coverage.ts'),
  },
]

// test/harness/extent.ts
if (isFull) process.env.TEST_EXTENT = 'all'
const expectedTime = isFull
  ? 'All steps with all cases take several minutes.'
  : 'All steps take about 2½ minutes on two idle processors, longer on busy ones.'
const exitCode = await check(names)
rmSync(workspace, { recursive: true })
// Processes that a failed test left running may hold the pipes; do not wait for them.
process.exit(exitCode)

/** Checks a project: again only what depends on what has changed since the last run. */
function types(project: string) {
  const info = join(project, 'node_modules/.cache/types.tsbuildinfo')
  const incremental = ['--noEmit', '--incremental', '--tsBuildInfoFile', info]
  // Several threads check the same declarations again: twice the processor time.
  const options = [...incremental, '--singleThreaded', '--pretty', 'false']
  return node('node_modules/typescript/bin/tsc', '--project', project, ...options)
}

/** `--all` asks for the full extent of the tests. */
function readArguments(args: string[]): [isFull: boolean, names: string[]] {
  return [args.includes('--all'), args.filter((arg) => arg !== '--all')]
}

/** Runs the steps of these names, or all, at the same time; at last those that read the records of the tests. */
async function check(names: string[]): Promise<number> {
  const known = [...sourceChecks, consoleStep, onPostgres, tests, ...afterTests].map(
    ({ name }) => name,
  )
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    console.error(`There is no step ${unknown.join(', ')}: name some of ${known.join(', ')}.`)
    return 64
  }

  if (names.length === 0) console.log(expectedTime)
  const isWanted = ({ name }: Step) => names.length === 0 || names.includes(name)
  const withTests = [tests, ...afterTests].some(isWanted)
  const testing = [onPostgres].filter(isWanted).concat(withTests ? [tests] : [])
  // The tests take longest, so nothing delays what they need.
  const server = testing.length > 0 ? await prepareTests() : undefined
  if (server !== undefined) process.env.TEST_POSTGRES = server.addressOf('postgres')
  // Tests wait for disks, for a browser and for each other much of the time, so all take little longer than the longest. Those
  // with all cases keep both processors busy by themselves.
  const checks = [consoleStep, ...sourceChecks].filter(isWanted)
  const phases = isFull ? [checks, ...testing.map((step) => [step])] : [checks.concat(testing)]
  const results: boolean[] = []
  for (const steps of phases) results.push(...(await Promise.all(steps.map(run))))
  await server?.stop()
  for (const step of withTests ? afterTests : []) results.push(await run(step))
  return results.every(Boolean) ? 0 : 1
}

/** Starts the server of the tests. Meanwhile it compiles the service: test processes start together, and each would compile it. */
async function prepareTests() {
  const starting = startSharedPostgres()
  const files = globSync('**', { cwd: compileCache }).length
  // Copies of the source, which tests make, stay in it.
  if (files > compiledMax) rmSync(compileCache, { recursive: true })
  else if (files > 0) return starting
  enableCompileCache(compileCache)
  await Promise.all([import('../src/cli/main.ts'), import('../src/app/service.ts')])
  flushCompileCache()
  return starting
}
