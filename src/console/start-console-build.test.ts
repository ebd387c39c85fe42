import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { itInFull } from '../../test/harness/extent.ts'
import { loadConfig } from '../config/config.ts'
import { buildsConsole } from './builds-console.ts'
import { startConsoleBuild } from './start-console-build.ts'

it('a working copy is built for a store on a disk, unless the console is off, and not behind a proxy or for one in memory', () => {
  const builds = (environment: Record<string, string>) =>
    buildsConsole(loadConfig({}, environment).config)

  assert.equal(builds({}), true)
  assert.equal(builds({ PETSTORE_DATABASE: 'postgres://petstore@db/petstore' }), true)
  assert.equal(builds({ PETSTORE_CONSOLE: 'off' }), false)
  assert.equal(builds({ PETSTORE_PUBLIC_URL: 'https://pets.example.com/v1' }), false)
  assert.equal(builds({ PETSTORE_DATABASE: 'sqlite::memory:' }), false)
})

itInFull('the build has the lowest priority, and its failure is a line of the log', async (t) => {
  const { build, output } = aBuild(
    t,
    `import { getPriority } from 'node:os'
     import { setTimeout } from 'node:timers/promises'
     for (let tries = 0; getPriority() < 19 && tries < 2_000; tries++) await setTimeout(10)
     console.log(getPriority())
     process.exitCode = 3`,
  )

  const { reason, message } = await warningOf(build)

  assert.match(message, /The console was not built; the API is served without it/)
  assert.match(reason, /ended with 3; console\/build\.log says why/)
  assert.equal(output(), '19\n')
})

it('a build gets no setting and no secret of the service, but what npm needs', async (t) => {
  const { build, output } = aBuild(t, 'console.log(JSON.stringify(process.env)); process.exit(3)')
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url))
  const program = `import { startConsoleBuild } from ${url('start-console-build.ts')}
    const [builder, logFile] = ${JSON.stringify([build.builder, build.logFile])}.map((one) => new URL(one))
    const waiting = setInterval(() => {}, 1_000)
    startConsoleBuild({ info() {}, warn: () => clearInterval(waiting) }, { builder, logFile })`
  const needed = {
    ...{ PATH: '/usr/bin', HOME: '/home/petstore', https_proxy: 'http://proxy.example' },
    npm_config_registry: 'https://npm.example/',
  }
  const secret = { PETSTORE_DATABASE: 'postgres://a:b@c/d', PGPASSWORD: 'b', AWS_SECRET_KEY: 'c' }

  execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...needed, ...secret },
  })

  assert.deepEqual(JSON.parse(output()), needed)
})

type Log = Parameters<typeof startConsoleBuild>[0]

/** A build that runs this script. */
function aBuild(t: TestContext, script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-console-build-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = (name: string) => pathToFileURL(join(folder, name))
  writeFileSync(join(folder, 'build.mjs'), script)
  return {
    build: { builder: file('build.mjs'), logFile: file('build.log') },
    output: () => readFileSync(join(folder, 'build.log'), 'utf8'),
  }
}

/** The warning that the build leads to. */
function warningOf(build: Parameters<typeof startConsoleBuild>[1]) {
  return new Promise<{ reason: string; message: string }>((resolve) => {
    const warn = ({ reason }: { reason: string }, message: string) => resolve({ reason, message })
    startConsoleBuild({ info: () => undefined, warn } as unknown as Log, build)
  })
}
