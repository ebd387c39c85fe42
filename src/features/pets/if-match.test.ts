import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCodePoint } from '../../../test/harness/any-code-point.ts'
import { expectError, startApp, type TestApp } from '../../../test/harness/app.ts'
import { amount } from '../../../test/harness/extent.ts'

const change = ({ api }: TestApp, ifMatch: string) =>
  api.send('PATCH', '/v1/pets/1', { body: { name: 'Max' }, headers: { 'if-match': ifMatch } })

async function startWithPet() {
  const app = await startApp()
  const created = await app.api.post('/v1/pets', { name: 'Rex', categoryId: 7 })
  return { ...app, created, etag: created.headers.etag ?? '' }
}

it('200: If-Match has the tag, alone or in a list, as a proxy that compresses changes it, or is *', async () => {
  for (const listOf of [
    (etag: string) => etag,
    (etag: string) => `"x", ${etag}`,
    (etag: string) => `W/"x",${etag},"y"`,
    (etag: string) => `, "x,y" ,\t,${etag} ,`,
    (etag: string) => `W/${etag}`,
    (etag: string) => etag.replace(/"$/, '-gzip"'),
    () => '*',
    () => ' * ',
  ]) {
    const app = await startWithPet()
    const response = await change(app, listOf(app.etag))
    assert.equal(response.status, 200, listOf('E'))
  }
})

it('412: another tag; nothing changes', async () => {
  const app = await startWithPet()
  const { api, created, etag } = app

  for (const ifMatch of [
    'W/"x"',
    etag.replace(/"$/, '-x"'),
    '"*"',
    `"x","y-gzip"`,
    `"${'x'.repeat(5_000)}"`,
  ]) {
    const response = await change(app, ifMatch)
    expectError(response, 412, 'precondition_failed')
    assert.match(response.text, /Pet 1 no longer matches If-Match/)
    assert.equal(response.headers.etag, undefined)
  }
  const after = await api.get('/v1/pets/1')
  assert.equal(after.text, created.text)
  assert.equal(after.headers.etag, etag)
})

it('404: another client deletes the pet between its fetch and the change', async () => {
  const app = await startWithPet()
  const { api, context, etag } = app
  const { write } = context.db
  context.db.write = async (...args) => {
    context.db.write = write
    await api.send('DELETE', '/v1/pets/1')
    return write(...args)
  }

  expectError(await change(app, etag), 404, 'not_found')
})

it('200 once, else 412: many clients change one version of a pet', async () => {
  const { api } = await startApp()
  const { headers } = await api.post('/v1/pets', { name: 'Rex', categoryId: 0 })
  const sent = { 'if-match': headers.etag ?? '' }

  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      api.send('PATCH', '/v1/pets/1', { body: { categoryId: index + 1 }, headers: sent }),
    ),
  )

  const [won, ...others] = answers.filter(({ status }) => status === 200)
  assert.ok(won)
  assert.equal(others.length, 0)
  for (const answer of answers.filter((one) => one !== won)) {
    expectError(answer, 412, 'precondition_failed')
  }
  assert.equal((await api.get('/v1/pets/1')).text, won.text)
})

it('property: a pet has the same text and tag wherever it is read, whatever its name', async () => {
  const { api } = await startApp()
  await api.createPet()
  const odd = fc.constantFrom(
    ...'"\\/\u00ad\u2028\u2029\ufeff\ufffe\uffff\ue000',
    '😀',
    '\u{10ffff}',
  )
  const names = fc
    .array(fc.oneof(odd, fc.string({ unit: anyCodePoint, minLength: 1, maxLength: 8 })), {
      maxLength: 6,
    })
    .map((parts) => `x${parts.join('')}`.replace(/[\p{Cc}\p{Cs}]/gu, '?'))
  await fc.assert(
    fc.asyncProperty(names, fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), async (name, categoryId) => {
      const rawBody = `{"name":${JSON.stringify(name)},"categoryId":${categoryId}}`
      const changed = await api.send('PATCH', '/v1/pets/1', { rawBody })
      const read = await api.get('/v1/pets/1')
      const listed = await api.get('/v1/pets?id=1')
      const all = await api.get('/v1/pets')

      assert.equal(changed.status, 200, changed.text)
      assert.equal((changed.json() as { name: string }).name, name)
      assert.deepEqual(
        [read.text, listed.text, all.text],
        [changed.text, `[${changed.text}]`, `[${changed.text}]`],
      )
      const { etag = '' } = changed.headers
      assert.deepEqual([read.headers.etag, listed.headers.etag], [etag, etag])
      const sent = { body: {}, headers: { 'if-match': etag } }
      assert.equal((await api.send('PATCH', '/v1/pets/1', sent)).status, 200)
    }),
    { numRuns: amount({ quick: 5, full: 40 }) },
  )
})

it('400: an If-Match that is not a list of entity tags; nothing changes', async () => {
  const app = await startWithPet()

  for (const tag of ['', ' ,', 'x', '"a', 'a"', '"a" "b"', 'W/x', '*, *', '"a b"', "'a'"]) {
    const response = await change(app, tag)
    expectError(response, 400, 'invalid_parameter')
    assert.match(response.text, /If-Match must be \* or entity tags in double quotes/)
  }
  assert.equal((await app.api.get('/v1/pets/1')).text, app.created.text)
})
