import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { PetstoreClient } from '../../client/src/index.ts'
import { demoPhotoOf } from '../../src/admin/seed/demo-photos.ts'
import { startPetstore } from '../../src/start-petstore.ts'
import { pictureOf } from '../harness/photos.ts'
import { aDirectory, executable } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

const run = promisify(execFile)

describe('photos by the client, and by commands', () => {
  let store: Awaited<ReturnType<typeof startPetstore>>
  let client: PetstoreClient
  before(async () => {
    const photo = demoPhotoOf('Snakes').toString('base64')
    const pets = [{ name: 'Rex' }, { name: 'Kaa', photo }]
    store = await startPetstore({ fixture: { pets } })
    client = new PetstoreClient(store)
  })
  after(() => store.close())
  const bytesOf = async (file: Blob) => Buffer.from(await file.arrayBuffer())

  it('a Blob is stored, returned as it was, and not returned again where it is known', async () => {
    const fish = demoPhotoOf('Goldfish')
    const { data, etag, status } = await client.pets.photo
      .put(1, new Blob([new Uint8Array(fish)], { type: 'image/png' }), { ifNoneMatch: '*' })
      .withResponse()
    const got = await client.pets.photo.get(1)
    const ifNoneMatch = etag ?? ''

    assert.deepEqual([status, etag], [201, `"${data.digest}"`])
    assert.deepEqual([got.type, await bytesOf(got)], ['image/png', fish])
    assert.equal(await client.pets.photo.get(1, { ifNoneMatch }), undefined)
    assert.deepEqual((await client.pets.photo.list({ petId: 1 })).data, [data])
    await client.pets.photo.delete(1, { ifMatch: ifNoneMatch })
    await assert.rejects(client.pets.photo.get(1), { status: 404 })
  })

  it('a fixture has photos, in Base64; one that is none refuses it with its position', async () => {
    assert.deepEqual(await bytesOf(await client.pets.photo.get(2)), demoPhotoOf('Snakes'))
    const pets = [{ name: 'Rex', photo: Buffer.from('GIF89a').toString('base64') }]
    await assert.rejects(store.reset({ fixture: { pets } }), /pets\.0\.photo The file is no JPEG/)
  })

  it('a file that is too large, or no picture: an error that says so', async () => {
    const expectRefused = (file: Buffer, code: string) =>
      assert.rejects(
        client.pets.photo.put(1, new Blob([new Uint8Array(file)]), { maxRetries: 0 }),
        { code },
      )

    await expectRefused(pictureOf(4 * 2 ** 20 + 1), 'body_too_large')
    await expectRefused(Buffer.from('GIF89a'), 'unsupported_media_type')
  })

  it('petstore photos put 1 sunny.png, and get 1 > sunny.png', async (t) => {
    const env = { PETSTORE_URL: store.baseUrl, PETSTORE_KEY: store.key }
    const sent = join(aDirectory(t), 'sunny.png')
    writeFileSync(sent, demoPhotoOf('Cats'))

    const put = await petstoreInThread(['photos', 'put', '1', sent, '--json'], { env })
    const listed = await petstoreInThread(['photos', 'list', '--pet-id', '1', '--quiet'], { env })
    const [node, ...command] = executable('photos', 'get', '1')
    const inherited = { ...process.env, ...env }
    const got = await run(node, command, { env: inherited, encoding: 'buffer' })
    const gone = await petstoreInThread(['photos', 'delete', '1', '--yes'], { env })

    assert.equal(JSON.parse(put.stdout).type, 'image/png', put.stderr)
    assert.equal(listed.stdout, '1\n')
    assert.deepEqual(got.stdout, readFileSync(sent))
    assert.deepEqual([gone.code, gone.stderr], [0, ''])
  })
})
