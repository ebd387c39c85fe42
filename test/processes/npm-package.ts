import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempDisposableSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { median } from '../../bench/statistics.ts'
import { installPackages } from '../harness/packages.ts'
import { importing, requiring, strictPrograms } from './npm-package-programs.ts'
import { type Installation, linkRunner, testRunners, tryRunner } from './npm-package-runners.ts'
import { tryPublish } from './npm-publish.ts'
import { repositoryRoot, startProgram } from './process.ts'
import { requireConsole } from './served-console.ts'

const runners = join(repositoryRoot, 'test/package')
/** The 22 is the oldest that serves a store in memory. */
const nodes = {
  20: join(runners, 'node_modules/node-20/bin/node'),
  22: join(runners, 'node_modules/node-22/bin/node'),
  24: join(runners, 'node_modules/node-24/bin/node'),
  26: process.execPath,
}
type Major = keyof typeof nodes
const majors = Object.keys(nodes).map(Number) as Major[]
const installedMaxMiB = 40
const packagesMax = 1
/** Many times what any step takes, a download of Node included. */
const hangMs = 600_000
const rounds = 7

/** Where npm finds packages here; other users, and the Nodes of the test, have no configuration of it. */
const npmSettings = Object.fromEntries(
  ['registry', 'cafile']
    .map((name) => [
      `npm_config_${name}`,
      execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim(),
    ])
    .filter(([, value]) => value !== 'null'),
)

const managers = ['npm', 'pnpm', 'yarn'] as const
type Manager = (typeof managers)[number]
/** On the first of these the store is always a child; on the others it is in the process of the test. */
const runnerMajors: readonly Major[] = [20, 22, 24]

/** Packs the package, installs it in empty folders, and uses it there. Yields a line for each thing that holds. */
export async function* usePackage(isWanted: (part: string) => boolean): AsyncGenerator<string> {
  installPackages(runners)
  const workspace = mkdtempSync(join(tmpdir(), 'petstore package '))
  try {
    const tarball = pack(workspace)
    const project = (manager: Manager, major: Major) => {
      const installation = at(workspace, `${manager} on ${major}`, major)
      if (!existsSync(installation.folder)) installWith(manager, installation, tarball)
      return installation
    }
    if (isWanted('size')) yield measureSize(project('npm', 24))
    if (isWanted('install')) {
      for (const major of majors) {
        for (const manager of managers)
          yield `Node ${major}, ${manager}: ${await useAll(project(manager, major))}`
      }
    }
    if (isWanted('banner')) yield await readBanner(project('npm', 24))
    if (isWanted('types')) yield checkTypes(project('npm', 24))
    if (isWanted('runners')) {
      for (const major of runnerMajors) yield* tryRunners(project('npm', major))
    }
    if (isWanted('readiness')) yield await measureReadiness(project('npm', 24))
    if (isWanted('read-only')) {
      for (const major of majors) yield `Node ${major}, ${await useReadOnly(project('npm', major))}`
    }
    if (isWanted('publish')) yield* tryPublish()
  } finally {
    execFileSync('chmod', ['-R', 'u+w', workspace])
    rmSync(workspace, { recursive: true, force: true })
  }
}

async function* tryRunners(installation: Installation): AsyncGenerator<string> {
  const program = (path: string) => join(runners, 'node_modules', path)
  linkRunner('@playwright', installation, program)
  // Deno checks types.
  linkRunner('@types/node', installation, program)
  for (const [name, runner] of Object.entries(testRunners(program))) {
    if (runner.majors && !runner.majors.includes(installation.major)) continue
    await tryRunner(runner, installation)
    yield `Node ${installation.major}, ${name}: passes, and leaves no store when it ends or is killed (${Object.keys(runner.files).length} kinds of tests)`
  }
}

function pack(workspace: string): string {
  const built = join(workspace, 'built')
  execFileSync(process.execPath, ['tools/build-package.ts', built], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const output = execFileSync('npm', ['pack', '--json', '--pack-destination', workspace], {
    cwd: built,
    encoding: 'utf8',
  })
  return join(workspace, JSON.parse(output)[0].filename)
}

/** A folder, and an environment whose only Node is this one, with a cache that all folders of the run share. */
function at(workspace: string, name: string, major: Major): Installation {
  const folder = join(workspace, name)
  const node = nodes[major]
  const path = join(workspace, `path ${major}`)
  if (!existsSync(path)) {
    mkdirSync(path)
    symlinkSync(node, join(path, 'node'))
    symlinkSync(npmProgram(), join(path, 'npm'))
    symlinkSync(join(dirname(npmProgram()), 'npx-cli.js'), join(path, 'npx'))
  }
  // `npm run` names the cache and the configuration of the user who runs this.
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  const env = {
    ...Object.fromEntries(own),
    ...npmSettings,
    PATH: [path, '/usr/bin', '/bin'].join(delimiter),
    XDG_CACHE_HOME: join(workspace, 'cache'),
  }
  return { folder, env, node, major }
}

function npmProgram(): string {
  const found = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' })
  return found.trim()
}

function installWith(manager: Manager, installation: Installation, tarball: string) {
  mkdirSync(installation.folder)
  const write = (path: string, text: string) => writeFileSync(join(installation.folder, path), text)
  write('package.json', '{"private":true}')
  if (manager === 'npm') {
    execute(installation, 'npm', 'install', tarball, '--silent')
    return
  }
  const programs = { pnpm: 'pnpm/bin/pnpm.cjs', yarn: '@yarnpkg/cli-dist/bin/yarn.js' }
  const program = join(runners, 'node_modules', programs[manager])
  if (manager === 'yarn') {
    write('yarn.lock', '')
    write('.yarnrc.yml', 'nodeLinker: node-modules\nenableTelemetry: false\n')
  }
  const source = manager === 'yarn' ? `petstore-service@file:${tarball}` : tarball
  execute(installation, installation.node, program, 'add', source)
}

function execute({ folder, env }: Installation, file: string, ...args: string[]): string {
  return execFileSync(file, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: hangMs,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The executable, twice, the second time without a registry; then both kinds of modules. */
async function useAll(installation: Installation): Promise<string> {
  const first = await startOnce(installation)
  const offline = {
    ...installation,
    env: { ...installation.env, npm_config_registry: 'http://127.0.0.1:9' },
  }
  const second = await startOnce(offline)
  writeFileSync(join(installation.folder, 'import.mjs'), importing)
  writeFileSync(join(installation.folder, 'require.cjs'), requiring)
  const imported = execute(offline, installation.node, 'import.mjs').trim()
  const required = execute(offline, installation.node, 'require.cjs').trim()
  if (imported !== 'ok' || required !== 'ok') throw new Error(`${imported} ${required}`)
  return `ready after ${first} ms, without a registry ${second} ms; import and require work`
}

/** Milliseconds until `npx petstore-service serve` says that it is ready. */
function startOnce(installation: Installation): Promise<number> {
  return readyAfter(installation, ['npx', '--no', 'petstore-service'], async ({ baseUrl, key }) => {
    await requireConsole(new URL(baseUrl).origin)
    const env = { ...installation.env, PETSTORE_KEY: key, PETSTORE_URL: baseUrl }
    execute({ ...installation, env }, 'npx', '--no', 'petstore-service', 'pets', 'list')
  })
}

/** Milliseconds until a command that serves a store in memory says that it is ready; then `use` uses it. */
async function readyAfter(
  { folder, env }: Installation,
  command: readonly string[],
  use = async (_store: { baseUrl: string; key: string }) => {},
): Promise<number> {
  const startMs = performance.now()
  const serve = [...command, 'serve', '--ephemeral', '--port', '0', '--json']
  const { stop, waitFor } = startProgram(serve, { cwd: folder, env })
  const [text] = await waitFor(/.*\n/)
  const readyMs = performance.now() - startMs
  await use(JSON.parse(text))
  await stop()
  return Math.round(readyMs)
}

function measureSize({ folder }: Installation): string {
  const paths = globSync('node_modules/**', { cwd: folder }).map((path) =>
    lstatSync(join(folder, path)),
  )
  const mebibytes = paths.reduce((sum, { blocks }) => sum + blocks * 512, 0) / 2 ** 20
  const packages = globSync('node_modules/{,*/node_modules/}{@*/,}*/package.json', { cwd: folder })
  if (mebibytes > installedMaxMiB) throw new Error(`An install has ${mebibytes} MiB.`)
  if (packages.length > packagesMax) throw new Error(`An install has ${packages.length} packages.`)
  return `installed: ${packages.length} packages, ${mebibytes.toFixed(1)} MiB on disk`
}

function checkTypes(installation: Installation): string {
  for (const [path, text] of Object.entries(strictPrograms)) {
    writeFileSync(join(installation.folder, path), text)
  }
  const tsc = join(repositoryRoot, 'node_modules/typescript/bin/tsc')
  execute(installation, process.execPath, tsc, '-p', '.')
  return 'TypeScript: strict programs compile, as ES modules and as CommonJS'
}

/** The start of the store beside that of an empty program, in turns. */
async function measureReadiness(installation: Installation): Promise<string> {
  const bin = join(installation.folder, 'node_modules/petstore-service/bin/petstore')
  const times = { empty: [] as number[], ready: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const startMs = performance.now()
    execute(installation, installation.node, '-e', '0')
    times.empty.push(performance.now() - startMs)
    times.ready.push(await readyAfter(installation, [installation.node, bin]))
  }
  const [empty, ready] = [times.empty, times.ready].map((one) => Math.round(median(one)))
  return `Node 24: ready after ${ready} ms; node -e 0 takes ${empty} ms (medians of ${rounds})`
}

/** At a terminal, `npx petstore-service serve` says where its data is. */
async function readBanner({ folder, env }: Installation): Promise<string> {
  const command = 'npx --no petstore-service serve --port 0'
  const options = { cwd: folder, env, stdio: 'pipe' as const }
  const { stop, waitFor } = startProgram(['script', '-qec', command, '/dev/null'], options)
  await waitFor(/curl .*\r?\n/)
  const { stdout } = await stop()
  const [, data] = /Data\S* +(.*?)\r\n/.exec(stripVTControlCharacters(stdout)) ?? []
  if (data !== join(folder, 'data/production.db')) throw new Error(`The banner says:\n${stdout}`)
  return 'npx petstore-service serve: the banner has the whole path of the data'
}

/** Installed read-only, used by another user, who has no home; as root that user is nobody. */
async function useReadOnly(installation: Installation): Promise<string> {
  writeFileSync(join(installation.folder, 'import.mjs'), importing)
  execFileSync('chmod', ['-R', 'a-w,a+rX', installation.folder])
  chmodSync(dirname(installation.folder), 0o755)
  const isRoot = process.getuid?.() === 0
  const away = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'petstore nobody '))
  if (isRoot) execFileSync('chown', ['65534:65534', temporary.path])
  const program = join(temporary.path, 'node')
  cpSync(installation.node, program)
  const { XDG_CACHE_HOME: _, ...others } = installation.env
  const env = { ...others, HOME: '/nonexistent', TMPDIR: temporary.path }
  const [file = '', ...args] = [...away, program]
  const output = execute({ ...installation, env }, file, ...args, 'import.mjs')
  if (output.trim() !== 'ok') throw new Error(output)
  const bin = join(installation.folder, 'node_modules/petstore-service/bin/petstore')
  execute({ ...installation, env }, file, ...args, bin, 'config')
  return `read-only, ${isRoot ? 'as nobody' : 'as this user'}, without a home: works`
}
