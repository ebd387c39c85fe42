import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { it, type TestContext } from 'node:test'
import { createApp } from '../../src/app/app.ts'
import { provideFirstKey } from '../../src/app/first-key.ts'
import { loadConfig } from '../../src/config/config.ts'
import { aDirectory, ask, executable, petstore, spawnCommand } from '../processes/command.ts'
import { repositoryRoot } from '../processes/process.ts'

const script = spawnSync('script', ['-qec', 'true', '/dev/null'])
const onTerminal = { skip: script.status === 0 ? false : 'needs script of util-linux' }
const curlLine = /curl -H .*\r?\n/
const keyAnywhere = /pet_(?:live|test)_[0-9A-Za-z]{38}/

/** Runs a command line as a person would paste it; returns its output. */
function paste(line: string, cwd: string): string {
  return execFileSync('sh', ['-c', line], { cwd, encoding: 'utf8', stdio: 'pipe' })
}

function curlLineOf(text: string): string {
  return /^ *(curl .*?)\r?$/m.exec(text)?.[1] ?? assert.fail(`no curl line in ${text}`)
}

it('a terminal is shown the first key once, with a curl line that works', onTerminal, async (t) => {
  const cwd = aDirectory(t)
  const env = { PETSTORE_PORT: '0' }
  const command = executable('serve').join(' ')

  const service = spawnCommand(t, ['script', '-qec', command, '/dev/null'], { cwd, env })
  await service.waitFor(curlLine)
  const { stdout } = service.output
  assert.equal(paste(curlLineOf(stdout), cwd), '[]')
  await service.stop()
  const again = spawnCommand(t, ['script', '-qec', command, '/dev/null'], { cwd, env })
  await again.waitFor(curlLine)

  const key = keyAnywhere.exec(stdout)?.[0] ?? assert.fail(stdout)
  assert.match(stdout, new RegExp(`API key +${key} +\\(shown this once; keep it\\)`))
  const logLines = stdout.split('\n').filter((line) => line.startsWith('{'))
  assert.ok(logLines.length > 0 && !logLines.some((line) => keyAnywhere.test(line)))
  assert.ok(!readdirSync(join(cwd, 'data')).some((name) => name.endsWith('first-key')))
  assert.match(again.output.stdout, /API key +you have one; another with bin\/petstore keys create/)
  assert.doesNotMatch(again.output.stdout, keyAnywhere)
})

it('without a terminal the first key is written to a file of mode 0600, and to no log', async (t) => {
  const cwd = aDirectory(t)
  const service = spawnCommand(t, executable('serve', '--port', '0'), {
    cwd,
    env: { PETSTORE_LOG_LEVEL: 'trace' },
  })
  await service.waitFor(curlLine)

  const file = join(cwd, 'data/production.first-key')
  const key = readFileSync(file, 'utf8')
  assert.match(key, /^pet_live_[0-9A-Za-z]{38}\n$/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(join(cwd, 'data/production.db')).mode & 0o077, 0)
  assert.match(service.output.stdout, /API key +in data\/production\.first-key /)
  assert.equal(paste(curlLineOf(service.output.stdout), cwd), '[]')
  await service.stop()
  assert.doesNotMatch(service.output.stdout + service.output.stderr, keyAnywhere)
})

it('a second start changes nothing, and says where things are', async (t) => {
  const cwd = aDirectory(t)
  const first = spawnCommand(t, executable('serve', '--port', '0'), { cwd })
  await first.waitFor(curlLine)
  await first.stop()
  const file = join(cwd, 'data/production.first-key')
  const key = readFileSync(file, 'utf8')
  const writtenMs = statSync(file).mtimeMs

  const again = spawnCommand(t, executable('serve', '--port', '0'), { cwd })
  await again.waitFor(curlLine)
  const list = await petstore(['keys', 'list'], {
    env: { PETSTORE_DATABASE: `sqlite:${join(cwd, 'data/production.db')}` },
  })

  assert.deepEqual([readFileSync(file, 'utf8'), statSync(file).mtimeMs], [key, writtenMs])
  assert.equal(list.stdout.trimEnd().split('\n').length, 2, 'one key, and the head of the table')
  assert.match(again.output.stdout, /Data +data\/production\.db\n/)
  assert.match(again.output.stdout, /API key +the first is in data\/production\.first-key; another/)
  assert.equal(paste(curlLineOf(again.output.stdout), cwd), '[]')
})

it('a first key that a killed process left as a draft is put in place, and no second one is issued', async (t) => {
  const cwd = aDirectory(t)
  const first = spawnCommand(t, executable('serve', '--port', '0'), { cwd })
  await first.waitFor(curlLine)
  await first.stop()
  const file = join(cwd, 'data/production.first-key')
  const key = readFileSync(file, 'utf8')
  renameSync(file, `${file}.0123456789ab.new`)
  writeFileSync(`${file}.ba9876543210.new`, key.replace(/....\n$/, 'aaaa\n'))

  const again = spawnCommand(t, executable('serve', '--port', '0'), { cwd })
  await again.waitFor(curlLine)

  assert.equal(readFileSync(file, 'utf8'), key)
  assert.equal(paste(curlLineOf(again.output.stdout), cwd), '[]')
  const drafts = readdirSync(join(cwd, 'data')).filter((name) => name.endsWith('.new'))
  assert.deepEqual(drafts, ['production.first-key.ba9876543210.new'])
})

it('PETSTORE_FIRST_KEY_FILE: sets the path of the first key, which may have blanks and quotes', async (t) => {
  const cwd = aDirectory(t)
  const file = join(cwd, "the shop's key")
  const service = spawnCommand(t, executable('serve', '--port', '0'), {
    cwd,
    env: { PETSTORE_FIRST_KEY_FILE: file },
  })
  await service.waitFor(curlLine)

  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.match(readFileSync(file, 'utf8'), keyAnywhere)
  assert.equal(paste(curlLineOf(service.output.stdout), cwd), '[]')
})

it('production and staging run side by side, each with its own data and keys', async (t) => {
  const cwd = aDirectory(t)
  const serve = (...args: string[]) =>
    spawnCommand(t, executable('serve', '--port', '0', ...args), { cwd })
  const baseUrlOf = async ({ waitFor }: ReturnType<typeof spawnCommand>) =>
    (await waitFor(/Base address {2}(\S+)\n[\s\S]*curl -H .*\n/))[1] ?? ''
  const [production, staging] = await Promise.all([
    baseUrlOf(serve()),
    baseUrlOf(serve('--environment', 'staging')),
  ])
  const keyOf = (name: string) => readFileSync(join(cwd, 'data', name), 'utf8').trim()
  const liveKey = keyOf('production.first-key')
  const testKey = keyOf('staging.first-key')

  const created = await ask(`${staging}/pets`, testKey, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":7}',
  })
  const strangers = await Promise.all([
    ask(`${staging}/pets`, liveKey),
    ask(`${production}/pets`, testKey),
  ])

  assert.equal(created.status, 201)
  assert.equal((await ask(`${production}/pets`, liveKey)).text, '[]')
  assert.deepEqual([liveKey.slice(0, 9), testKey.slice(0, 9)], ['pet_live_', 'pet_test_'])
  assert.deepEqual(
    strangers.map(({ status, text }) => [status, JSON.parse(text).message]),
    [
      [
        401,
        'This API key belongs to production; this is staging. Send a key that begins with pet_test_, or use the address of production.',
      ],
      [
        401,
        'This API key belongs to staging; this is production. Send a key that begins with pet_live_, or use the address of staging.',
      ],
    ],
  )
})

it('a start that fails on its port does not use up the first key', async (t) => {
  const directory = aDirectory(t)
  const env = { PETSTORE_DATABASE: `sqlite:${join(directory, 'a.db')}` }
  const holder = spawnCommand(t, executable('serve', '--ephemeral', '--port', '0', '--json'))
  const [, port = ''] = await holder.waitFor(/127\.0\.0\.1:(\d+)/)

  const failed = await petstore(['serve', '--json', '--port', port], { env })
  const service = spawnCommand(t, executable('serve', '--json', '--port', '0'), { env })
  await service.waitFor(/\n/)

  assert.equal(failed.code, 69)
  assert.match(service.output.stdout, keyAnywhere)
})

/** Issues a first key, in a folder, as a service on PostgreSQL that has no terminal does. */
async function provideOnPostgres(t: TestContext, cwd: string) {
  const store = loadConfig({}, { PETSTORE_DATABASE: 'sqlite::memory:' }).config
  const { config } = loadConfig({}, { PETSTORE_DATABASE: 'postgres://me:secret@db/petstore' })
  const app = await createApp({ config: store, logStream: { write: () => undefined } })
  const home = process.cwd()
  t.after(() => app.close())
  try {
    process.chdir(cwd)
    return await provideFirstKey(app.context, config, { isEphemeral: false, isData: false })
  } finally {
    process.chdir(home)
  }
}

it('on PostgreSQL the first key goes to data/ of the current folder, which others cannot read', async (t) => {
  const cwd = aDirectory(t)

  const first = await provideOnPostgres(t, cwd)

  assert.equal(first?.file, 'data/petstore-production.first-key')
  const file = join(cwd, first.file)
  assert.equal(readFileSync(file, 'utf8'), `${first.key}\n`)
  assert.deepEqual(readdirSync(cwd), ['data'], 'nothing lies in the folder itself')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(join(cwd, 'data')).mode & 0o777, 0o700)
})

it('73 missingDirectory: on PostgreSQL a file where data/ should be is named, and no key is issued', async (t) => {
  const cwd = aDirectory(t)
  writeFileSync(join(cwd, 'data'), '')

  await assert.rejects(provideOnPostgres(t, cwd), {
    reason: 'missingDirectory',
    message: /^The first key cannot be written to data\/petstore-production\.first-key: /,
  })
})

it('git ignores every first key, and its drafts', () => {
  const ignored = readFileSync(join(repositoryRoot, '.gitignore'), 'utf8').split('\n')

  for (const name of ['petstore-production.first-key', 'a.first-key.0123456789ab.new']) {
    assert.ok(
      ignored.some((pattern) => matchesGlob(name, pattern)),
      name,
    )
  }
})
