import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { isFull } from '../harness/extent.ts'
import { requests } from '../harness/operations.ts'
import { aDirectory, ask } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { settingsFor, startService } from '../processes/process.ts'

/** Requests that leave the keys as they are. */
const others = requests.filter(({ url }) => !url.startsWith('/v1/keys'))
const sent = isFull ? others : others.slice(0, 2)

/** The least part of a key that must be nowhere. */
const pieceLength = 16
const wrongKey = 'pet_live_UV5JPKi7inkFcbSOYhyQALeFobup5wV22HL2g0'
const malformedKey = `pet_live_${'CANARYcanary'.repeat(4)}`

it('no 16 characters of a key are on the disk after use, errors, a backup and a crash, but in the file of the first key', async (t) => {
  const directory = aDirectory(t)
  const env: Record<string, string> = {
    ...settingsFor(directory),
    PETSTORE_LOG_LEVEL: 'trace',
    PETSTORE_ACCESS_LOG: 'on',
  }
  const service = await startService({ env })
  const first = readFileSync(env.PETSTORE_FIRST_KEY_FILE ?? '', 'utf8').trim()
  const send = (path: string, key: string, method: string, body?: object, headers = {}) =>
    ask(`${service.baseUrl}${path}`, key, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  const issued = async (path: string, body: object) => {
    const { text } = await send(path, first, 'POST', body, { 'idempotency-key': path })
    return (JSON.parse(text) as { key: string }).key
  }
  const keys = [first, wrongKey, malformedKey]
  keys.push(await issued('/keys', { name: 'canary' }), await issued('/keys/2/rotate', {}))
  const created = await petstoreInThread(['keys', 'create', '--name', 'canary'], { env })
  keys.push(created.stdout.trim())

  for (const key of keys) {
    for (const { method, url, body } of sent) await send(url.slice(3), key, method, body)
    await send(`/pets?name=${key}&limit=${key}`, key, 'GET', undefined, { 'x-request-id': key })
    await send('/pets', key, 'POST', { name: 7, categoryId: key, [key]: key })
  }
  const backup = join(directory, 'pets.backup')
  assert.equal((await petstoreInThread(['backup', backup], { env })).code, 0)
  const { stdout, stderr } = await service.kill()
  writeFileSync(join(directory, 'log'), stdout + stderr)
  await (await startService({ env })).stop()

  const found = filesIn(directory).flatMap((path) => {
    const text = readFileSync(path, 'latin1')
    const own = path === env.PETSTORE_FIRST_KEY_FILE ? keys.filter((key) => key !== first) : keys
    return own.filter((key) => hasPiece(text, key)).map((key) => `${path} has a part of ${key}`)
  })
  assert.deepEqual(found, [])
  assert.ok(hasPiece(readFileSync(env.PETSTORE_FIRST_KEY_FILE ?? '', 'latin1'), first))
  assert.ok(filesIn(directory).includes(backup))
  assert.match(stderr, /"msg":"request"/)
})

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((path) => statSync(path).isFile())
}

function hasPiece(text: string, key: string): boolean {
  const starts = Array.from({ length: key.length - pieceLength + 1 }, (_, start) => start)
  return starts.some((start) => text.includes(key.slice(start, start + pieceLength)))
}
