import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { requests } from '../harness/operations.ts'
import { aDirectory, ask } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { startPostgres } from '../processes/postgres.ts'
import {
  readFirstKey,
  repositoryRoot,
  type Service,
  settingsFor,
  startService,
} from '../processes/process.ts'

/** Requests that leave the keys as they are. */
const sent = requests.filter(({ url }) => !url.startsWith('/v1/keys'))
const pages = ['/', '/docs', '/guides', '/guides/keys', '/console/', '/openapi.json', '/nothing']

/** The least part of a key that must be nowhere. */
const pieceLength = 16
const wrongKey = 'pet_live_UV5JPKi7inkFcbSOYhyQALeFobup5wV22HL2g0'
const malformedKey = `pet_live_${'CANARYcanary'.repeat(4)}`

it('no 16 characters of a key or a secret are on the disk after use, errors, pages, a backup and a crash, but in the file of the first key', async (t) => {
  const directory = aDirectory(t)
  const env = verbose(directory)

  const keys = await useWithKeys(t, directory, env)

  expectNoKey(directory, keys, env.PETSTORE_FIRST_KEY_FILE)
  assert.ok(filesIn(directory).some((path) => path.endsWith('.backup')))
})

it('no 16 characters of a key are in the files and the log of PostgreSQL, with each statement in it', async (t) => {
  const directory = aDirectory(t)
  const server = await startPostgres([
    'logging_collector=on',
    'log_statement=all',
    'log_parameter_max_length=-1',
    'log_checkpoints=on',
  ])
  t.after(() => server.stop())
  const env: Record<string, string> = {
    ...verbose(directory),
    PETSTORE_DATABASE: await server.createDatabase(),
  }

  const keys = await useWithKeys(t, directory, env)
  const { rows } = await server.query('show data_directory')
  await server.query('checkpoint')

  expectNoKey(directory, keys, env.PETSTORE_FIRST_KEY_FILE)
  const data = rows[0]?.data_directory as string
  expectNoKey(data, keys)
  const log = filesIn(join(data, 'log')).map(textOf).join('')
  assert.match(log, /insert into keys/)
})

it('no 16 characters of a key are on the disk after the use of a test bench', async (t) => {
  const directory = aDirectory(t)
  const env: Record<string, string> = {
    ...verbose(directory),
    PETSTORE_DATABASE: 'sqlite::memory:',
  }
  const service = await startService({ args: ['serve', '--ephemeral', '--json'], env })
  const bench = `${new URL(service.baseUrl).origin}/test-bench`
  const { text } = await ask(`${bench}/keys`, service.key, json('POST', { scopes: ['pets:read'] }))
  const keys = [service.key, wrongKey, malformedKey]
  for (const key of keys) {
    await ask(`${bench}/requests`, key)
    await ask(`${bench}/faults`, key, json('POST', { operation: key, [key]: key }))
    await ask(`${service.baseUrl}/pets?name=${key}`, key)
  }

  const { stderr } = await service.kill()
  writeFileSync(join(directory, 'log'), stderr)

  assert.match(text, /^\{"key":"pet_test_/)
  expectNoKey(directory, [...keys, JSON.parse(text).key], env.PETSTORE_FIRST_KEY_FILE)
  assert.match(stderr, /"msg":"request"/)
})

it('each key that `npm run test:canaries` has made contains the known text', () => {
  const text = 'CANARYcanaryCANARYcanary'
  const program = `
    import { systemRandom } from './src/context/context.ts'
    import { mintKey } from './src/features/keys/key-format.ts'
    console.log(mintKey('production', systemRandom))`

  const { stdout } = spawnSync(
    process.execPath,
    ['--import', './test/campaigns/canary-keys.js', '--input-type=module', '--eval', program],
    { cwd: repositoryRoot, env: { ...process.env, CANARY_TEXT: text }, encoding: 'utf8' },
  )

  assert.match(stdout, new RegExp(`^pet_live_${text}`))
})

/** Each process writes its log, and its temporary files, into this folder. */
function verbose(directory: string): Record<string, string> {
  const temporary = join(directory, 'tmp')
  mkdirSync(temporary)
  return {
    ...settingsFor(directory),
    TMPDIR: temporary,
    PETSTORE_LOG_LEVEL: 'trace',
    PETSTORE_ACCESS_LOG: 'on',
    PETSTORE_WEBHOOK_HOSTS: '127.0.0.1',
  }
}

const json = (method: string, body?: object, headers = {}) => ({
  method,
  headers: { 'content-type': 'application/json', ...headers },
  ...(body && { body: JSON.stringify(body) }),
})

/**
 * Sends keys, good and bad ones, in every way there is, makes a webhook, takes a backup, and crashes. Resolves to the keys,
 * the first in front, and to the secrets of webhooks as clients get them: the database has their bytes.
 */
async function useWithKeys(
  t: TestContext,
  directory: string,
  env: Record<string, string>,
): Promise<string[]> {
  const service = await startService({ env })
  t.after(() => service.kill())
  const first = readFirstKey(env)
  const issued = async (path: string, body?: object) => {
    const sending = json('POST', body, { 'idempotency-key': path })
    const { text } = await ask(`${service.baseUrl}${path}`, first, sending)
    const { key, secret } = JSON.parse(text) as { key?: string; secret?: string }
    return key ?? secret ?? assert.fail(text)
  }
  const keys = [first, wrongKey, malformedKey]
  keys.push(await issued('/keys', { name: 'canary' }), await issued('/keys/2/rotate', {}))
  const created = await petstoreInThread(['keys', 'create', '--name', 'canary'], { env })
  keys.push(created.stdout.trim())
  const secrets = [
    await issued('/webhooks', { url: 'http://127.0.0.1:9/hook' }),
    await issued('/webhooks/1/rotate-secret'),
  ]
  for (const path of ['/webhooks', '/webhooks/1', '/events', '/webhooks/1/deliveries'])
    await ask(`${service.baseUrl}${path}`, first)
  await ask(`${service.baseUrl}/webhooks/1/test`, first, json('POST'))
  for (const key of keys) await sendEverywhere(service, key)
  const backup = join(directory, 'pets.backup')
  assert.equal((await petstoreInThread(['backup', backup], { env })).code, 0)
  const { stdout, stderr } = await service.kill()
  writeFileSync(join(directory, 'log'), stdout + stderr)
  assert.match(stderr, /"msg":"request"/)
  await (await startService({ env })).stop()
  return [...keys, ...secrets]
}

async function sendEverywhere({ baseUrl }: Service, key: string): Promise<void> {
  for (const { method, url, body } of sent)
    await ask(`${baseUrl}${url.slice(3)}`, key, json(method, body as object | undefined))
  for (const path of pages) await ask(`${new URL(baseUrl).origin}${path}?key=${key}`, key)
  const headers = { 'x-request-id': key, 'user-agent': key, 'idempotency-key': key }
  await ask(`${baseUrl}/pets?name=${key}&limit=${key}`, key, json('GET', undefined, headers))
  await ask(`${baseUrl}/pets/${key}`, key)
  await ask(`${baseUrl}/pets`, key, json('POST', { name: 7, categoryId: key, [key]: key }, headers))
}

/** The first key may be in its file. */
function expectNoKey(directory: string, keys: readonly string[], firstKeyFile?: string): void {
  const found = filesIn(directory).flatMap((path) => {
    const text = textOf(path)
    const own = path === firstKeyFile ? keys.slice(1) : keys
    return own.filter((key) => hasPiece(text, key)).map((key) => `${path} has a part of ${key}`)
  })
  assert.deepEqual(found, [])
  const [first = ''] = keys
  if (firstKeyFile !== undefined) assert.ok(hasPiece(readFileSync(firstKeyFile, 'latin1'), first))
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
}

/** Empty where the running PostgreSQL has deleted the file meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function hasPiece(text: string, key: string): boolean {
  const starts = Array.from({ length: key.length - pieceLength + 1 }, (_, start) => start)
  return starts.some((start) => text.includes(key.slice(start, start + pieceLength)))
}
