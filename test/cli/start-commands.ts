import assert from 'node:assert/strict'
import { startPetstore } from '../../src/start-petstore.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

type Options = { stdin?: string; columns?: number; env?: Record<string, string> }

/** A store with 120 pets and a key that only reads pets, and commands that are sent to it. */
export async function startCommands() {
  const store = await startPetstore({ seed: 120, keys: [{ scopes: ['pets:read'] }] })
  const env = { PETSTORE_URL: store.baseUrl, PETSTORE_KEY: store.key }
  const run = (words: string | readonly string[], options: Options = {}) =>
    petstoreInThread(typeof words === 'string' ? words.split(' ') : words, { env, ...options })
  /** What a command prints that succeeds and warns of nothing. */
  async function output(words: string | readonly string[], options: Options = {}) {
    const { code, stdout, stderr } = await run(words, options)
    assert.deepEqual([code, stderr], [0, ''], String(words))
    return stdout
  }
  return { store, env, run, output }
}
