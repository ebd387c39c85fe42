import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { photoBytesMax } from '../../src/features/photos/contract.ts'
import { pictureOf, tagOf } from '../harness/photos.ts'
import { serveHere } from '../harness/serve-here.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { settingsFor } from '../processes/process.ts'

const server = await anyPostgres()
after(() => server.stop())

type Env = Record<string, string>

async function run(env: Env, ...args: string[]) {
  const { code, stdout, stderr } = await petstoreInThread(args, { env })
  assert.equal(code, 0, stdout + stderr)
  return stdout
}

const keyIn = async (env: Env) =>
  JSON.parse(await run(env, 'keys', 'create', '--name', 'photos', '--json')).key as string

/** The tag of the photo of pet 1, by a service on the store. */
async function photoIn(env: Env): Promise<string | null> {
  const key = await keyIn(env)
  const service = await serveHere(env)
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${service.baseUrl}/pets/1/photo`, { headers })
  const bytes = Buffer.from(await response.arrayBuffer())
  await service.stop()
  assert.equal(response.headers.get('etag'), tagOf(bytes))
  return response.headers.get('etag')
}

for (const from of ['sqlite', 'postgres'] as const) {
  it(`a photo of exactly 4 MiB is in a backup of ${from}, and in what is restored from it on either engine`, async (t) => {
    const place = async (engine: 'sqlite' | 'postgres'): Promise<Env> => {
      const env = settingsFor(aDirectory(t))
      if (engine === 'sqlite') return env
      const address = await server.createDatabase()
      t.after(() => server.dropDatabase(address))
      return { ...env, PETSTORE_DATABASE: address }
    }
    const file = pictureOf(photoBytesMax)
    const env = await place(from)
    await run(env, 'seed', '--count', '5')
    const key = await keyIn(env)
    const service = await serveHere(env)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'image/png' }
    const body = new Uint8Array(file)
    const put = await fetch(`${service.baseUrl}/pets/1/photo`, { method: 'PUT', headers, body })
    await service.stop()
    assert.equal(put.status, 200, await put.text())

    const backup = join(aDirectory(t), 'photos.backup')
    await run(env, 'backup', backup)
    for (const engine of ['sqlite', 'postgres'] as const) {
      const restored = await place(engine)
      await run(restored, 'restore', backup)
      await run(restored, 'verify')
      assert.equal(await photoIn(restored), tagOf(file))
    }
  })
}
