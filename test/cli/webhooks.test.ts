import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it, type TestContext } from 'node:test'
import { startService } from '../../src/app/service.ts'
import { loadConfig } from '../../src/config/config.ts'
import { expectError, type TestApp } from '../harness/app.ts'
import { itInFull } from '../harness/extent.ts'
import { serve } from '../harness/moved-stores.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

type Env = Record<string, string>

/** A store in a file, with a webhook, and its settings. */
async function aStore(t: TestContext) {
  const directory = aDirectory(t)
  const env = settingsAt(join(directory, 'pets.db'))
  const app = await serve(addressIn(env))
  const { text, status } = await app.api.post('/v1/webhooks', { url: 'https://shop.example/' })
  assert.equal(status, 201, text)
  assert.equal((await test(app)).status, 204)
  await app.close()
  return { directory, env, secret: (JSON.parse(text) as { secret: string }).secret }
}

const settingsAt = (path: string): Env => ({
  PETSTORE_ENVIRONMENT: 'staging',
  PETSTORE_DATABASE: `sqlite:${path}`,
})
const addressIn = ({ PETSTORE_DATABASE = '' }: Env) => PETSTORE_DATABASE
const pathIn = (env: Env) => addressIn(env).replace('sqlite:', '')
const test = ({ api }: TestApp) => api.send('POST', '/v1/webhooks/1/test')

/** Why nothing is sent to each of its webhooks. */
async function blockedIn({ api }: TestApp) {
  const webhooks = (await api.get('/v1/webhooks')).json() as { blockedReason?: string }[]
  return webhooks.map(({ blockedReason }) => blockedReason)
}

async function run(env: Env, ...args: string[]) {
  const { code, stdout, stderr } = await petstoreInThread(args, { env })
  assert.equal(code, 0, stderr)
  return { stdout, stderr }
}

/** Its webhook is paused until somebody resumes it. */
async function expectPaused(env: Env, t: TestContext) {
  const app = await serve(addressIn(env))
  const refused = await test(app)
  expectError(refused, 409, 'webhook_not_enabled')
  assert.match(refused.text, /petstore webhooks resume/)
  const created = await app.api.post('/v1/webhooks', { url: 'https://other.example/' })
  assert.equal(created.status, 201)
  expectError(await test(app), 409, 'webhook_not_enabled')
  assert.deepEqual(await blockedIn(app), ['copied', 'copied'])
  await app.close()
  assert.match(await logOfStart(env, t), /"webhooks":2.*petstore webhooks resume/)

  const { stderr } = await run(env, 'webhooks', 'resume')

  assert.match(stderr, /^Events are sent again to 2 webhooks, from now on\. Their missedAfter says/)
  const resumed = await serve(addressIn(env))
  assert.equal((await test(resumed)).status, 204)
  assert.deepEqual(await blockedIn(resumed), [undefined, undefined])
  await resumed.close()
  assert.doesNotMatch(await logOfStart(env, t), /webhooks/)
}

async function logOfStart(env: Env, t: TestContext): Promise<string> {
  const lines: string[] = []
  const { config } = loadConfig(
    {},
    { ...env, PETSTORE_PORT: '0', PETSTORE_FIRST_KEY_FILE: join(aDirectory(t), 'key') },
  )
  const service = await startService({
    config,
    logStream: { write: (line) => lines.push(line) },
    showsKey: false,
    onLost: assert.fail,
  })
  await service.stop()
  return lines.join('')
}

/** Up to where events have become deliveries, and after which the first webhook has missed some. */
const positionsIn = (env: Env) => ({
  ...rowIn(env, 'select fanned_out_to from events_feed'),
  ...rowIn(env, 'select missed_after from webhooks where id = 1'),
})

function rowIn(env: Env, text: string) {
  using file = new DatabaseSync(pathIn(env))
  return file.prepare(text).get() as Record<string, number | null> | undefined
}

it('webhooks resume: a restored store sends nothing before, and then what happens from then on', async (t) => {
  const { directory, env, secret } = await aStore(t)
  const backup = join(directory, 'a.backup')
  await run(env, 'backup', backup)
  const copy = settingsAt(join(directory, 'copy.db'))
  await run(copy, 'restore', backup)
  const before = positionsIn(copy)

  await expectPaused(copy, t)

  const after = positionsIn(copy)
  assert.equal(before.missed_after, null)
  assert.equal(after.missed_after, before.fanned_out_to, 'the log of the copy began there')
  assert.ok(Number(after.fanned_out_to) > Number(after.missed_after))
  const original = await serve(addressIn(env))
  assert.equal((await test(original)).status, 204, 'the store that was copied still sends')
  await original.close()
  assert.ok(secret.startsWith('whsec_'))
})

itInFull(
  'webhooks resume: a store that has moved sends on from where it was, unless it was paused',
  async (t) => {
    const { directory, env } = await aStore(t)
    const before = positionsIn(env)
    const moved = settingsAt(join(directory, 'moved.db'))
    const [last, plain] = ['last', 'plain'].map((name) => join(directory, name))
    await run(env, 'backup', plain ?? '')
    const copy = settingsAt(join(directory, 'copy.db'))
    await run(copy, 'restore', plain ?? '')

    await run(env, 'backup', last ?? '', '--last')
    await run(moved, 'restore', last ?? '')

    assert.deepEqual(positionsIn(moved), before)
    const app = await serve(addressIn(moved))
    assert.deepEqual(await blockedIn(app), [undefined])
    assert.equal((await test(app)).status, 204)
    await app.close()
    await run(copy, 'backup', `${last}-2`, '--last')
    const paused = settingsAt(join(directory, 'paused.db'))
    await run(paused, 'restore', `${last}-2`)
    await expectPaused(paused, t)
  },
)

itInFull('webhooks resume: a recovered store sends nothing before', async (t) => {
  const { env } = await aStore(t)
  const root =
    "select rootpage * 4096 - 4096 as start from sqlite_schema where name = 'orders_status'"
  const start = Number(rowIn(env, root)?.start)
  const bytes = readFileSync(pathIn(env))
  writeFileSync(pathIn(env), bytes.fill(0xff, start, start + 64))
  await run(env, 'recover')

  await expectPaused(env, t)
})

it('webhooks resume --json: changes nothing in a store whose webhooks are not paused', async (t) => {
  const { env } = await aStore(t)
  const before = positionsIn(env)

  const { stdout } = await run(env, 'webhooks', 'resume', '--json')
  const { stderr } = await run(env, 'webhooks', 'resume')

  assert.deepEqual(JSON.parse(stdout), { resumed: 0 })
  assert.equal(stderr, 'The webhooks of this store are not paused.\n')
  assert.deepEqual(positionsIn(env), before)
})
