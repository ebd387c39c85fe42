import assert from 'node:assert/strict'
import { it } from 'node:test'
import { itInFull } from '../harness/extent.ts'
import { ask } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import {
  aStore,
  create,
  keyPattern,
  listOf,
  serveOn,
  tableOf,
  waitForStatus,
} from './keys-commands.ts'

it('keys show --json: everything that is known of a key; for people a line for each', async (t) => {
  const env = await aStore(t)
  await create(env, '--name', 'shop')

  const { stdout } = await petstoreInThread(['keys', 'show', '1', '--json'], { env })
  const shown = await petstoreInThread(['keys', 'show', '1'], { env })
  const missing = await petstoreInThread(['keys', 'show', '7'], { env })

  assert.deepEqual([JSON.parse(stdout)], await listOf(env))
  assert.match(shown.stdout, /^id +1\nname +shop\nhint +pet_live_…\w{4}\nscopes +default\n/)
  assert.doesNotMatch(shown.stdout, /null|expiresAt/)
  assert.equal(missing.stderr, 'There is no key with the id 7.\n')
})

it('keys update --name --scope --valid-days --no-expiry --json: changes what is given, also of the last key that manages keys', async (t) => {
  const env = await aStore(t)
  await create(env, '--name', 'boss', '--scope', 'default', '--scope', 'keys:manage')
  const update = async (...options: string[]) => {
    const exit = await petstoreInThread(['keys', 'update', '1', '--json', ...options], { env })
    assert.equal(exit.code, 0, exit.stderr)
    return JSON.parse(exit.stdout) as Record<string, unknown>
  }

  const narrowed = await update('--scope', 'pets:read', '--valid-days', '1')
  const renamed = await update('--name', 'reader', '--no-expiry')

  assert.deepEqual([narrowed.name, narrowed.scopes], ['boss', ['pets:read']])
  assert.match(String(narrowed.expiresAt), /^\d{4}-/)
  assert.deepEqual(
    [renamed.name, renamed.scopes, renamed.expiresAt],
    ['reader', ['pets:read'], null],
  )
  const refused: [string[], RegExp][] = [
    [[], /^Say what to change/],
    [['--scope', 'pets:reed'], /^--scope must be one of default, .*; did you mean pets:read\?/],
    [['--no-expiry', '--valid-days', '1'], /exclude each other/],
  ]
  for (const [options, expected] of refused) {
    const { code, stderr } = await petstoreInThread(['keys', 'update', '1', ...options], { env })
    assert.equal(code, 64)
    assert.match(stderr, expected)
  }
  assert.deepEqual([renamed], await listOf(env))
})

itInFull(
  'keys rotate --overlap-hours: a running service takes both keys, then the new one alone',
  async (t) => {
    const env = await aStore(t)
    const old = await create(env, '--name', 'shop')
    await using service = await serveOn(env)
    const rotate = ['keys', 'rotate', '1', '--overlap-hours']

    const { stdout, stderr } = await petstoreInThread([...rotate, '1'], { env })
    const second = stdout.trim()
    const table = (await tableOf(env)).join(' ')
    const early = await petstoreInThread([...rotate, '1'], { env })

    assert.match(second, keyPattern)
    assert.match(
      stderr,
      /^The successor of key 1 \(shop, production\); pet_live_…\w{4} is accepted until /,
    )
    for (const key of [old, second]) assert.ok(table.includes(key.slice(-4)), table)
    for (const key of [old, second])
      assert.equal((await ask(`${service.baseUrl}/pets`, key)).status, 200)
    assert.match(early.stderr, /is accepted until .*overlap of 0/)
    const last = await petstoreInThread([...rotate, '0'], { env })
    const endedMs = await waitForStatus(service.baseUrl, second, 401)
    t.diagnostic(`ended after ${endedMs} ms`)
    assert.equal((await ask(`${service.baseUrl}/pets`, last.stdout.trim())).status, 200)
    assert.equal((await ask(`${service.baseUrl}/pets`, old)).status, 401)
    for (const hours of ['169', '-1', '1.5', 'a']) {
      const { code } = await petstoreInThread([...rotate, hours], { env })
      assert.equal(code, 64)
    }
  },
)

itInFull('keys rotate --json: the key, and what is known of it', async (t) => {
  const env = await aStore(t)
  await create(env, '--name', 'shop')

  const { stdout } = await petstoreInThread(['keys', 'rotate', '1', '--json'], { env })

  const { key, environment, ...known } = JSON.parse(stdout)
  assert.match(key, keyPattern)
  assert.equal(environment, 'production')
  assert.deepEqual([known], await listOf(env))
})
