import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError } from '../../../test/harness/app.ts'
import { formOf, post, put, startWithPet, tagOf } from '../../../test/harness/photos.ts'
import { exif, jpeg, orientation, png, webp } from '../../../test/harness/pictures.ts'

const picture = png({ width: 3, height: 2 })
const other = png({ width: 50, height: 40 })

it('201, then 200: a photo is stored and sent as it came, with the headers that make it harmless', async () => {
  const { api, id, path, getBytes, clock } = await startWithPet()

  const created = await put(api, id, picture)
  clock.ms += 5_000
  const replaced = await put(api, id, other, { type: 'image/webp' })
  const got = await api.get(path)

  assert.deepEqual([created.status, replaced.status], [201, 200])
  assert.equal(created.headers.location, `http://petstore.test${path}`)
  assert.equal(replaced.headers.location, undefined)
  assert.deepEqual(replaced.json(), {
    petId: id,
    type: 'image/png',
    sizeBytes: other.length,
    width: 50,
    height: 40,
    digest: tagOf(other).slice(1, -1),
    updatedAt: '2027-01-01T00:00:05.000Z',
  })
  assert.equal(replaced.headers.etag, tagOf(other))
  assert.deepEqual(await getBytes(), other)
  const { headers } = got
  assert.equal(headers['content-type'], 'image/png')
  assert.equal(headers.etag, tagOf(other))
  assert.equal(headers['last-modified'], 'Fri, 01 Jan 2027 00:00:05 GMT')
  assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'")
  assert.equal(headers['content-disposition'], `inline; filename="pet-${id}.png"`)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['cache-control'], 'private, no-cache')
})

it('201: a form with one file; each type, by its first bytes and whatever it is called', async () => {
  const { api, id, path } = await startWithPet()

  for (const [type, file] of [
    ['image/jpeg', jpeg()],
    ['image/png', png()],
    ['image/webp', webp({}, [], 0)],
  ] as const) {
    const { status, headers, text } = await post(api, id, formOf(file))
    assert.match(text, new RegExp(`"type":"${type}"`), text)
    assert.equal(status, type === 'image/jpeg' ? 201 : 200)
    assert.equal(headers.etag, tagOf(file))
    assert.equal((await api.get(path)).headers['content-type'], type)
  }
})

it('201 without ETag where something was removed: the digest is that of what is stored', async () => {
  const { api, id, path, getBytes } = await startWithPet()
  const secret = Buffer.from('52.5163 N')
  const file = png({}, [
    ['eXIf', exif([orientation(6)])],
    ['tEXt', secret],
  ])

  const { headers, text } = await put(api, id, Buffer.concat([file, Buffer.from('<script>')]))
  const stored = await getBytes()

  assert.equal(headers.etag, undefined)
  assert.equal(`"${JSON.parse(text).digest}"`, tagOf(stored))
  assert.equal((await api.get(path)).headers.etag, tagOf(stored))
  assert.equal(stored.indexOf(secret) + stored.indexOf('<script>'), -2)
  assert.ok(stored.includes('eXIf'))
})

it('304, 206, 416: reads with conditions and ranges', async () => {
  const { api, id, path, key, server } = await startWithPet()
  await put(api, id, picture)
  const etag = tagOf(picture)
  const range = { range: 'bytes=4-7', prefer: 'handling=strict' }

  const known = await api.get(path, { headers: { 'if-none-match': etag } })
  const changed = await api.get(path, { headers: { 'if-none-match': tagOf(other) } })
  const part = await server.inject({
    url: path,
    headers: { authorization: `Bearer ${key}`, ...range },
  })
  const stale = await api.get(path, { headers: { ...range, 'if-range': tagOf(other) } })
  const fresh = await api.get(path, { headers: { ...range, 'if-range': etag } })
  const beyond = await api.get(path, { headers: { range: `bytes=${picture.length}-` } })
  const head = await api.send('HEAD', path)
  const date = String(head.headers['last-modified'])
  const since = async (date: string, more = {}) =>
    (await api.get(path, { headers: { 'if-modified-since': date, ...more } })).status

  assert.deepEqual([await since(date), await since('2030-01-01')], [304, 200])
  assert.equal(await since('Thu, 31 Dec 2026 23:59:59 GMT'), 200)
  assert.equal(await since(date, { 'if-none-match': tagOf(other) }), 200)
  assert.deepEqual([known.status, known.text, changed.status], [304, '', 200])
  assert.deepEqual([part.statusCode, part.rawPayload], [206, picture.subarray(4, 8)])
  assert.equal(fresh.headers['preference-applied'], 'handling=strict')
  assert.equal(part.headers['content-range'], `bytes 4-7/${picture.length}`)
  assert.deepEqual([stale.status, fresh.status], [200, 206])
  expectError(beyond, 416, 'range_not_satisfiable')
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers['content-length'], String(picture.length))
})

it('412: a photo that is not the one in If-Match, or that is there already', async () => {
  const { api, id, path, getBytes } = await startWithPet()
  const newOnly = { headers: { 'if-none-match': '*' } }

  expectError(
    await put(api, id, picture, { headers: { 'if-match': '*' } }),
    412,
    'precondition_failed',
  )
  assert.equal((await put(api, id, picture, newOnly)).status, 201)
  expectError(await put(api, id, other, newOnly), 412, 'precondition_failed')
  expectError(
    await put(api, id, other, { headers: { 'if-match': tagOf(other) } }),
    412,
    'precondition_failed',
  )
  const headers = { 'content-type': 'multipart/form-data; boundary=cut', ...newOnly.headers }
  const form = { rawBody: formOf(other), headers }
  expectError(await api.send('POST', path, form), 412, 'precondition_failed')
  const both = await Promise.all(
    [other, png({ width: 9 })].map((file) =>
      put(api, id, file, { headers: { 'if-match': tagOf(picture) } }),
    ),
  )

  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
  const winner = both[0]?.status === 200 ? other : png({ width: 9 })
  assert.deepEqual(await getBytes(), winner)
})

it('204, 404: a photo is deleted alone, or with its pet', async () => {
  const { api, id, path } = await startWithPet()
  expectError(await api.get(path), 404, 'not_found')
  expectError(await api.send('DELETE', path), 404, 'not_found')
  expectError(await put(api, 999, picture), 404, 'not_found')

  await put(api, id, picture)
  const stale = await api.send('DELETE', path, { headers: { 'if-match': tagOf(other) } })
  const deleted = await api.send('DELETE', path)
  expectError(stale, 412, 'precondition_failed')
  assert.equal(deleted.status, 204)
  expectError(await api.get(path), 404, 'not_found')

  await put(api, id, other)
  assert.equal((await api.send('DELETE', `/v1/pets/${id}`)).status, 204)
  expectError(await api.get(path), 404, 'not_found')
  assert.deepEqual((await api.get('/v1/photos')).json(), [])
})

it('200: a list of what is known of photos, by pets', async () => {
  const { api, id } = await startWithPet()
  const { id: second } = await api.createPet()
  await api.createPet()
  const record = (await put(api, id, picture)).json()
  await put(api, second, other)

  const all = (await api.get('/v1/photos')).json() as { petId: number }[]
  const some = await api.get(`/v1/photos?petId=${id}&petId=999`)

  assert.deepEqual(
    all.map(({ petId }) => petId),
    [id, second],
  )
  assert.deepEqual(some.json(), [record])
})

it('events carry the record of a photo, and never the file; the same file again changes nothing; a pet that is deleted stands for its photo', async () => {
  const { api, id, path, clock } = await startWithPet()
  const first = (await put(api, id, picture)).json()
  const second = (await put(api, id, other)).json()
  clock.ms += 5_000
  assert.deepEqual((await put(api, id, other)).json(), second)
  await api.send('DELETE', path)
  await put(api, id, picture)
  await api.send('DELETE', `/v1/pets/${id}`)

  const { text } = await api.get(`/v1/events?petId=${id}`)
  const events = JSON.parse(text) as { type: string; data: unknown; previous?: object }[]

  assert.equal(
    events.map(({ type }) => type).join(' '),
    'pet.created photo.updated photo.updated photo.deleted photo.updated pet.deleted',
  )
  assert.deepEqual([events[1]?.data, events[2]?.data, events[3]?.data], [first, second, second])
  assert.equal(events[1]?.previous, undefined)
  const changed = Object.keys(events[2]?.previous ?? {}).sort()
  assert.equal(changed.join(' '), 'digest height sizeBytes width')
})
