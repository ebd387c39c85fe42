import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, it, type TestContext } from 'node:test'
import { expectError, type TestApp } from '../harness/app.ts'
import { serve } from '../harness/moved-stores.ts'
import { until } from '../harness/until.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { openSession } from '../processes/postgres-store.ts'

const server = await anyPostgres()
after(() => server.stop())

async function aDatabase(t: TestContext): Promise<string> {
  const address = await server.createDatabase()
  t.after(() => server.dropDatabase(address))
  return address
}

const shop = { url: 'https://shop.example/' }
const create = ({ api }: TestApp) => api.post('/v1/webhooks', shop, { isRepeated: false })

it('409: of two processes that create the 50th webhook at once, one does', async (t) => {
  const address = await aDatabase(t)
  const apps = [await serve(address), await serve(address)] as const
  for (let made = 0; made < 49; made++) assert.equal((await create(apps[0])).status, 201)
  const session = await openSession(t, address)
  const waiting = async () => {
    const { rows } = await session.query(
      `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    return rows.length
  }

  await session.query('begin; select id from webhooks for update')
  const creating = apps.map(create)
  await until(async () => (await waiting()) === 2)
  await session.query('commit')
  const responses = await Promise.all(creating)

  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409])
  const refused = responses.find(({ status }) => status === 409) ?? assert.fail()
  expectError(refused, 409, 'too_many_webhooks')
  await Promise.all(apps.map((app) => app.close()))
})

type Env = Record<string, string>

async function run(env: Env, ...args: string[]) {
  const { code, stderr } = await petstoreInThread(args, { env })
  assert.equal(code, 0, stderr)
}

/** Its webhook is paused until somebody resumes it. */
async function blocked({ api }: TestApp) {
  const test = await api.send('POST', '/v1/webhooks/1/test')
  const webhook = (await api.get('/v1/webhooks/1')).json() as { blockedReason?: string }
  return [test.status, webhook.blockedReason]
}

async function expectPaused(env: Env) {
  const app = await serve(env.PETSTORE_DATABASE ?? '')
  assert.deepEqual(await blocked(app), [409, 'copied'])
  await app.close()

  await run(env, 'webhooks', 'resume')

  const resumed = await serve(env.PETSTORE_DATABASE ?? '')
  assert.deepEqual(await blocked(resumed), [204, undefined])
  await resumed.close()
}

it('webhooks resume: a store that was restored to PostgreSQL sends nothing before; one that has moved there goes on', async (t) => {
  const directory = aDirectory(t)
  const settingsAt = (address: string): Env => ({
    PETSTORE_ENVIRONMENT: 'staging',
    PETSTORE_DATABASE: address,
  })
  const file = settingsAt(`sqlite:${join(directory, 'pets.db')}`)
  const [moved, restored] = [settingsAt(await aDatabase(t)), settingsAt(await aDatabase(t))]
  const app = await serve(file.PETSTORE_DATABASE ?? '')
  assert.equal((await create(app)).status, 201)
  await app.close()

  const [last, backup] = [join(directory, 'last.backup'), join(directory, 'pets.backup')]
  await run(file, 'backup', last, '--last')
  await run(moved, 'restore', last)
  const arrived = await serve(moved.PETSTORE_DATABASE ?? '')
  assert.deepEqual(await blocked(arrived), [204, undefined])
  await arrived.close()
  await run(moved, 'backup', backup)
  await run(restored, 'restore', backup)
  await expectPaused(restored)
})
