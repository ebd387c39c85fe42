import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError } from '../../../test/harness/app.ts'
import {
  formHead,
  formOf,
  pictureOf,
  post,
  put,
  startWithPet,
} from '../../../test/harness/photos.ts'
import { exif, jpeg, orientation, png } from '../../../test/harness/pictures.ts'
import { photoBytesMax } from './contract.ts'

const picture = png({ width: 3, height: 2 })

const half = jpeg({ width: 400, height: 300 }, [], Buffer.alloc(1_000, 1)).subarray(0, 600)
const refusals: [what: string, file: Buffer, status: number, code: string][] = [
  [
    'a GIF that calls itself PNG',
    Buffer.from('GIF89a\x02\0\x02\0\0\0\0;', 'latin1'),
    415,
    'unsupported_media_type',
  ],
  [
    'HTML in front of a PNG',
    Buffer.concat([Buffer.from('<html>'), png()]),
    415,
    'unsupported_media_type',
  ],
  ['a PNG of 60,000 x 60,000 points', png({ width: 60_000, height: 60_000 }), 400, 'invalid_body'],
  ['a JPEG that is cut in half', half, 400, 'invalid_body'],
  ['an empty body', Buffer.alloc(0), 400, 'invalid_body'],
]
for (const [what, file, status, code] of refusals) {
  it(`${status} ${code}: ${what}, in a form too; what was there stays`, async () => {
    const { api, id, getBytes } = await startWithPet()
    await put(api, id, picture)

    expectError(await put(api, id, file), status, code)
    expectError(await post(api, id, formOf(file)), status, code)
    assert.deepEqual(await getBytes(), picture)
  })
}

it('415: another media type than that of a picture or a form', async () => {
  const { api, id } = await startWithPet()

  expectError(await put(api, id, picture, { type: 'image/svg+xml' }), 415, 'unsupported_media_type')
  expectError(await put(api, id, picture, { type: 'text/html' }), 415, 'unsupported_media_type')
  expectError(await api.post(`/v1/pets/${id}/photo`, {}), 415, 'unsupported_media_type')
})

it('400: a form without a boundary, with two files, none, 10,000, or one without an end, with a pointer to it', async () => {
  const { api, id } = await startWithPet()
  const part = `${formHead()}x\r\n`
  const accept = { accept: 'application/problem+json' }

  expectError(await post(api, id, formOf(picture), ''), 400, 'invalid_parameter')
  for (const form of [
    `${part}${part}--cut--`,
    '--cut--',
    `${part.repeat(10_000)}--cut--`,
    part,
    `${formHead('photo')}x`,
  ]) {
    expectError(await post(api, id, form), 400, 'invalid_body')
    const headers = { 'content-type': 'multipart/form-data; boundary=cut', ...accept }
    const problem = await api.send('POST', `/v1/pets/${id}/photo`, { rawBody: form, headers })
    assert.match(problem.text, /"pointer":"\/file"/)
  }
})

it('201 for a photo of 4 MiB; 413 for one byte more, in a form too', async () => {
  const { api, id, getBytes } = await startWithPet()
  const largest = pictureOf(photoBytesMax)
  const larger = pictureOf(photoBytesMax + 1)

  assert.equal((await put(api, id, largest)).status, 201)
  assert.equal((await post(api, id, formOf(largest))).status, 200)
  expectError(await put(api, id, larger), 413, 'body_too_large')
  expectError(await post(api, id, formOf(larger)), 413, 'body_too_large')
  // Its shortest EXIF data grows by what ends a directory.
  const turned = (sizeBytes: number) =>
    png({}, [
      ['eXIf', exif([orientation(6)]).subarray(0, -4)],
      ['sPLT', Buffer.alloc(sizeBytes)],
    ])
  const grows = turned(photoBytesMax - turned(0).length)
  assert.equal(grows.length, photoBytesMax)
  expectError(await put(api, id, grows), 413, 'body_too_large')
  assert.ok((await getBytes()).equals(largest))
})

it('403: a key that may only read does not store or delete a photo', async () => {
  const { api, id, path, issueKey } = await startWithPet()
  const key = await issueKey({ scopes: ['pets:read'] })
  const headers = { 'content-type': 'image/png' }

  expectError(
    await api.send('PUT', path, { key, rawBody: picture, headers }),
    403,
    'insufficient_scope',
  )
  expectError(await api.send('DELETE', path, { key }), 403, 'insufficient_scope')
  assert.equal((await put(api, id, picture)).status, 201)
  assert.equal((await api.get(path, { key })).status, 200)
})
