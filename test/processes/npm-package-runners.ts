import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../harness/until.ts'
import { type Program, startProgram } from './process.ts'

/** A folder where the package is installed, and an environment whose only Node is this one. */
export type Installation = { folder: string; env: NodeJS.ProcessEnv; node: string; major: number }

/** A test runner, with tests of a user in its languages and kinds of modules. */
type Runner = {
  /** What starts it, in front of its files. */
  command(installation: Installation): string[]
  /** By file name: a test that imports or requires the package. */
  files: Record<string, string>
  /** The Nodes that it runs on and that run its files; all where absent. */
  majors?: readonly number[]
}

const packageName = 'petstore-service'

/** What each test does with `startPetstore`; `ways` are those that the platform has. */
const use = `
async function useStores(startPetstore, ways) {
  for (const as of ways) await useStore(startPetstore, as)
  const stores = await Promise.all([1, 2, 3, 4].map((count) => startPetstore({ seed: count })))
  for (const [index, store] of stores.entries()) check(await list(store), index + 1, 'pets')
  const { STORES } = process.env
  if (STORES) {
    const addresses = stores.map(({ baseUrl }) => baseUrl)
    fs.writeFileSync(STORES, JSON.stringify({ pid: process.pid, addresses }))
    await new Promise(() => setInterval(() => {}, 1000))
  }
  // The others are left open: a run ends all the same.
  await stores[0].close()
}

async function useStore(startPetstore, as) {
  const store = await startPetstore({
    ...(as ? { as } : {}),
    now: '2030-01-01T00:00:00Z',
    firstId: 7n,
    seed: 2,
    fixture: { pets: [{ name: 'Rex', status: 'available' }] },
    orderHoldMs: 900_000,
    strict: true,
    keys: [{ scopes: ['pets:read'] }, { expired: true }, { revoked: true }],
  })
  check(await list(store), 3, 'pets')
  check((await send(store, 'POST', '/pets', { name: 'Tom', categoryId: 1 })).id, 10, 'id')
  const order = await send(store, 'POST', '/store/orders', { petId: 9 })
  check(order.expiresAt.slice(0, 16), '2030-01-01T00:15', 'hold')
  check((await send(store, 'GET', '/pets?stats=sold')).code, 'invalid_parameter', 'strict')
  const codes = []
  for (const key of store.keys) codes.push((await send({ ...store, key }, 'POST', '/pets', {})).code)
  check(codes.join(), 'insufficient_scope,expired_api_key,revoked_api_key', 'keys')
  await store.reset()
  check(await list(store), 3, 'pets after the reset')
  await store.faults.add({ operation: 'listPets', error: 'unavailable', times: 1 })
  check((await send(store, 'GET', '/pets')).status, 503, 'fault')
  await store.expectRequests([{ operation: 'listPets', status: 200 }, { operation: 'listPets', status: 503 }])
  await store.close()
  check(await fetch(store.baseUrl).then(() => 'open', () => 'closed'), 'closed', 'port')
}

const list = async (store) => (await send(store, 'GET', '/pets')).length

async function send({ baseUrl, key }, method, path, body) {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
  const response = await fetch(baseUrl + path, { method, headers, body: body && JSON.stringify(body) })
  return response.json()
}

function check(actual, expected, what) {
  if (actual !== expected) throw new Error(what + ': ' + actual + ' instead of ' + expected)
}
`

const besides: Record<string, string> = {
  'use.mjs': `import fs from 'node:fs'\n${use}\nexport { useStores }\n`,
  'use.d.mts': 'export function useStores(start: unknown, ways: unknown): Promise<void>\n',
  'use.cjs': `const fs = require('node:fs')\n${use}\nmodule.exports = { useStores }\n`,
  'playwright.config.mjs': 'export default { timeout: 120_000, workers: 1, reporter: "line" }\n',
}

const imports = `import { startPetstore } from '${packageName}'\nimport { useStores } from './use.mjs'\n`
const typedImports = `import { type PetstoreOptions, startPetstore } from '${packageName}'
import { useStores } from './use.mjs'
const options: PetstoreOptions = { seed: 1 }
`
const requires = `const { startPetstore } = require('${packageName}')\nconst { useStores } = require('./use.cjs')\n`
const inModule = `import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\n`

const limitMs = 120_000
const uses = (ways: string) => `await useStores(startPetstore, ${ways})`
const typedUses = (ways: string) => `await (await startPetstore(options)).close()
  ${uses(ways)}`
const define = (test: string, body: string, more = '') =>
  `${test}('uses stores', async () => {\n  ${body}\n}${more})\n`
const timed = `, ${limitMs}`

/** \`undefined\` is the default; a Node without SQLite has a child alone. */
const both = `process.versions.sqlite ? [undefined, 'in-process', 'child'] : [undefined, 'child']`
const child = '[undefined]'

const nodeTest = `import { it } from 'node:test'\n`

/** Those of the users; `program` finds a file of their packages. */
export function testRunners(program: (path: string) => string): Record<string, Runner> {
  return {
    'node:test': {
      command: ({ node }) => [node, '--test'],
      files: {
        'node-esm.mjs': nodeTest + imports + define('it', uses(both)),
        'node-cjs.cjs': `const { it } = require('node:test')\n${requires}${define('it', uses(child))}`,
      },
    },
    'node:test, TypeScript': {
      command: ({ node }) => [node, '--test'],
      files: { 'node-ts.mts': nodeTest + typedImports + define('it', typedUses(both)) },
      majors: [24, 26],
    },
    vitest: {
      command: ({ node }) => [node, program('vitest/vitest.mjs'), 'run', '--globals'],
      files: {
        'vitest-esm.spec.mjs': imports + define('test', uses(both), timed),
        'vitest-cjs.spec.mjs': inModule + requires + define('test', uses(child), timed),
        'vitest-ts.spec.ts': typedImports + define('test', typedUses(both), timed),
      },
    },
    jest: {
      command: ({ node }) => [node, program('jest/bin/jest.js'), '--testMatch', '**/jest-*', '--'],
      files: { 'jest-cjs.cjs': requires + define('test', uses(child), timed) },
    },
    mocha: {
      command: ({ node }) => [node, program('mocha/bin/mocha.js'), '--timeout', String(limitMs)],
      files: {
        'mocha-esm.mjs': imports + define('it', uses(both)),
        'mocha-cjs.cjs': requires + define('it', uses(child)),
      },
    },
    Playwright: {
      command: ({ node }) => [node, program('@playwright/test/cli.js'), 'test'],
      files: {
        'playwright-esm.spec.mjs': `import { test } from '@playwright/test'\n${imports}${define('test', uses(both))}`,
        'playwright-cjs.spec.cjs': `const { test } = require('@playwright/test')\n${requires}${define('test', uses(child))}`,
        'playwright-ts.spec.ts': `import { test } from '@playwright/test'\n${typedImports}${define('test', typedUses(child))}`,
      },
    },
    bun: {
      command: () => [program('@oven/bun-linux-x64/bin/bun'), 'test', '--timeout', String(limitMs)],
      files: {
        './bun-esm.test.mjs': imports + define('test', uses(child), timed),
        './bun-cjs.test.cjs': requires + define('test', uses(child), timed),
        './bun-ts.test.ts': typedImports + define('test', typedUses(child), timed),
      },
    },
    deno: {
      command: () => [
        program('@deno/linux-x64-glibc/deno'),
        ...['test', '--allow-all', '--no-lock', '--node-modules-dir=manual'],
      ],
      files: {
        'deno-esm_test.mjs': imports + define('Deno.test', uses(child)),
        'deno-ts_test.ts': typedImports + define('Deno.test', typedUses(child)),
      },
    },
  }
}

/** Runs the tests of a runner in the project at `installation`, then once more until it is killed. Throws where a store is left. */
export async function tryRunner(
  { command, files }: Runner,
  installation: Installation,
): Promise<void> {
  for (const [path, text] of Object.entries({ ...besides, ...files }))
    writeFileSync(join(installation.folder, path), text)
  const runner = command(installation)
  for (const path of Object.keys(files)) {
    const run = start([...runner, path], installation)
    const { code } = await run.exited
    if (code !== 0) throw new Error(`${path} ended with ${code}:\n${run.written()}`)
  }
  for (const path of Object.keys(files)) {
    await killRun(start([...runner, path], installation, storesFile), installation)
  }
  for (const path of Object.keys(files)) rmSync(join(installation.folder, path))
}

/** The name of the file to which a test writes its stores, and then waits. */
const storesFile = 'stores.json'

/** Each test starts some stores, on a machine that may be busy. */
const untilMaxMs = 600_000

async function killRun(run: Program, { folder }: Installation) {
  const file = join(folder, storesFile)
  await until(() => {
    if (run.hasEnded()) throw new Error(`It ended before it was killed:\n${run.written()}`)
    return existsSync(file) && readFileSync(file, 'utf8') !== ''
  }, untilMaxMs)
  const { pid, addresses } = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  run.child.kill('SIGKILL')
  for (const baseUrl of addresses as string[]) await until(() => isGone(baseUrl), untilMaxMs)
  endWorker(pid)
}

/** Some runners leave the process of a test when they are killed. */
function endWorker(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const isGone = (baseUrl: string) =>
  fetch(`${baseUrl}/health/live`).then(
    () => false,
    () => true,
  )

function start(command: string[], { folder, env }: Installation, stores?: string) {
  const own = stores === undefined ? {} : { STORES: join(folder, stores) }
  const { NODE_TEST_CONTEXT: _, ...others } = env
  return startProgram(command, { cwd: folder, env: { ...others, CI: '1', ...own } })
}

/** Lets tests in the project import what only the runners have installed. */
export function linkRunner(
  name: string,
  installation: Installation,
  program: (path: string) => string,
): void {
  const target = join(installation.folder, 'node_modules', name)
  mkdirSync(join(target, '..'), { recursive: true })
  if (!existsSync(target)) symlinkSync(program(name), target)
}
