import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { createEmptyStore } from '../harness/empty-store.ts'
import { amount } from '../harness/extent.ts'
import { until } from '../harness/until.ts'
import { aDirectory, ask } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { settingsFor, startService } from '../processes/process.ts'

export const keyPattern = /^pet_live_[0-9A-Za-z]{38}$/
/** How soon a running service applies a change. A busy machine is slower. */
export const changeMaxMs = amount({ quick: 60_000, full: 1_000 })
const noKey = 'none'

/** What `keys list --json` prints. */
export async function listOf(env: Record<string, string>) {
  const { stdout, stderr, code } = await petstoreInThread(['keys', 'list', '--json'], { env })
  assert.deepEqual([code, stderr], [0, ''])
  return JSON.parse(stdout) as Record<string, unknown>[]
}

/** The table that `keys list` prints. */
export async function tableOf(env: Record<string, string>): Promise<string[]> {
  const { stdout, stderr, code } = await petstoreInThread(['keys', 'list'], { env })
  assert.deepEqual([code, stderr], [0, ''])
  return stdout.trimEnd().split('\n')
}

export async function create(env: Record<string, string>, ...options: string[]): Promise<string> {
  const { stdout, stderr, code } = await petstoreInThread(['keys', 'create', ...options], { env })
  assert.equal(code, 0, stderr)
  const [key = '', rest] = stdout.split('\n')
  assert.equal(rest, '', 'the key stands alone on standard output')
  assert.ok(!stderr.includes(key), 'the key is not on standard error')
  return key
}

/** The time until requests with a key get a status. Throws long after the documented limit. */
export async function waitForStatus(baseUrl: string, key: string, status: number): Promise<number> {
  const startMs = performance.now()
  await until(async () => (await ask(`${baseUrl}/pets`, key)).status === status)
  return performance.now() - startMs
}

/** The settings of an empty store. */
export async function aStore(t: TestContext) {
  const env = settingsFor(aDirectory(t))
  await createEmptyStore(env.PETSTORE_DATABASE ?? '')
  return env
}

/** A service on a store that has keys already, so that its start issues none. */
export async function serveOn(env: Record<string, string>) {
  writeFileSync(env.PETSTORE_FIRST_KEY_FILE ?? '', noKey)
  return startService({ env })
}
