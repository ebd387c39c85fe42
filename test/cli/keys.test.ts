import assert from 'node:assert/strict'
import { readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { serveHere } from '../harness/serve-here.ts'
import { aDirectory, ask } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { aStore, create, keyPattern } from './keys-commands.ts'

it('keys create --name: a key of the store itself, which a running service accepts at once', async (t) => {
  const env = await aStore(t)
  await using service = await serveHere(env)

  const key = await create(env, '--name', 'shop')

  assert.match(key, keyPattern)
  assert.equal((await ask(`${service.baseUrl}/pets`, key)).status, 200)
})

it('keys create --valid-days, --rate-limit, --scope and --json: one line with the key, and what is known of it', async (t) => {
  const env = await aStore(t)
  const options = ['--name', 'a "shop"', '--valid-days', '30', '--rate-limit', '50']
  const args = ['keys', 'create', '--json', ...options, '--scope', 'pets:read']

  const { code, stdout, stderr } = await petstoreInThread(args, { env })

  assert.deepEqual([code, stderr], [0, ''])
  const { key, hint, createdAt, expiresAt, ...known } = JSON.parse(stdout)
  assert.match(key, keyPattern)
  assert.equal(hint, `pet_live_…${key.slice(-4)}`)
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt) - 30 * 86_400_000 < 60_000, true)
  assert.deepEqual(known, {
    ...{ id: 1, name: 'a "shop"', scopes: ['pets:read'], rateLimit: 50 },
    environment: 'production',
  })
  for (const refused of ['--valid-days', '--rate-limit']) {
    const { code } = await petstoreInThread([...args.slice(0, 5), refused, '0'], { env })
    assert.equal(code, 64)
  }
})

it('64: what is only over HTTP is told with what it needs', async (t) => {
  const env = await aStore(t)
  const told: [words: string, message: RegExp][] = [
    ['keys show 1', /^There is no command keys show/],
    ['keys list', /^There is no key: set PETSTORE_KEY, .* petstore keys create makes one\./],
    ['keys list --environment staging', /^There is no option --environment\. /],
    ['keys update 1 --scope pets:read', /^There is no option --scope; did you mean --scopes\?/],
    ['events', /^Say which: events list, /],
  ]
  for (const [words, message] of told) {
    const { code, stdout, stderr } = await petstoreInThread(words.split(' '), { env })

    assert.deepEqual([code, stdout], [64, ''], words)
    assert.match(stderr, message)
  }
})

it('78 configuration: keys create creates no store, wherever the settings place it', async (t) => {
  const cwd = realpathSync(aDirectory(t))
  const empty = join(cwd, 'empty.db')
  writeFileSync(empty, '')

  for (const path of [join(cwd, 'pets.db'), empty]) {
    const env = { PETSTORE_DATABASE: `sqlite:${path}` }
    const { code, stdout, stderr } = await petstoreInThread(['keys', 'create', '--name', 'me'], {
      env,
    })

    const message = `There is no store at ${path}. Nothing was changed. Check PETSTORE_DATABASE and the current folder; petstore serve makes a store.\n`
    assert.deepEqual([code, stdout, stderr], [78, '', message])
  }
  const left = readdirSync(cwd).filter((name) => !name.startsWith('empty.db'))
  assert.deepEqual([left, statSync(empty).size], [[], 0])
})
