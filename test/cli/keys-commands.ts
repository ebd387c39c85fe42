import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { createEmptyStore } from '../harness/empty-store.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { settingsFor } from '../processes/process.ts'

export const keyPattern = /^pet_live_[0-9A-Za-z]{38}$/
export async function create(env: Record<string, string>, ...options: string[]): Promise<string> {
  const { stdout, stderr, code } = await petstoreInThread(['keys', 'create', ...options], { env })
  assert.equal(code, 0, stderr)
  const [key = '', rest] = stdout.split('\n')
  assert.equal(rest, '', 'the key stands alone on standard output')
  assert.ok(!stderr.includes(key), 'the key is not on standard error')
  return key
}

/** The settings of an empty store. */
export async function aStore(t: TestContext) {
  const env = settingsFor(aDirectory(t))
  await createEmptyStore(env.PETSTORE_DATABASE ?? '')
  return env
}
