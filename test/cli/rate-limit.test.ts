import assert from 'node:assert/strict'
import { it } from 'node:test'
import { petstoreInThread } from '../processes/command-thread.ts'
import { aStore, create, listOf } from './keys-commands.ts'

it('keys create --rate-limit: a key with a limit of its own', async (t) => {
  const env = await aStore(t)

  await create(env, '--name', 'app', '--rate-limit', '50')
  await create(env, '--name', 'other')

  const limits = (await listOf(env)).map(({ rateLimit }) => rateLimit)
  assert.deepEqual(limits, [50, null])
})

it('keys update --rate-limit --no-rate-limit: another limit, or that of the settings', async (t) => {
  const env = await aStore(t)
  await create(env, '--name', 'app')
  const update = async (...options: string[]) => {
    const { code } = await petstoreInThread(['keys', 'update', '1', ...options], { env })
    return [code, (await listOf(env))[0]?.rateLimit]
  }

  assert.deepEqual(await update('--rate-limit', '1000000'), [0, 1_000_000])
  for (const refused of [
    ['--rate-limit', '0'],
    ['--rate-limit', '1', '--no-rate-limit'],
  ])
    assert.deepEqual(await update(...refused), [64, 1_000_000])
  assert.deepEqual(await update('--no-rate-limit'), [0, null])
})
