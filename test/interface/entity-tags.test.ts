import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { expectError, startApp } from '../harness/app.ts'
import { fillStore, requests } from '../harness/operations.ts'

/** What all records with an entity tag have in common, whichever operation reads or changes them. */

type Operation = { operationId: string; parameters?: { $ref?: string }[] }
const { paths } = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, Operation>> }

/** The requests of the operations that take this header. */
function requestsWith(parameter: 'IfMatch' | 'IfNoneMatch') {
  const names = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ parameters = [] }) => parameters.some(({ $ref }) => $ref?.endsWith(`/${parameter}`)))
    .map(({ operationId }) => operationId)
  return requests.filter(({ operationId }) => names.includes(operationId))
}

/** The record of a request, and a list that shows it alone. */
const listsOf: Record<string, string> = {
  '/v1/pets/1': '/v1/pets?id=1',
  '/v1/pets/1/details': '/v1/details?petId=1',
  '/v1/categories/1': '/v1/categories?id=1',
  '/v1/inventory/1': '/v1/inventory?petId=1',
}

/** A change of a record that no request of `requests` makes. */
const otherChanges: Record<string, Record<string, unknown>> = {
  '/v1/pets/1': { categoryId: 8 },
  '/v1/pets/1/details': { sex: 'female', tags: ['tame'] },
  '/v1/categories/1': { description: 'Another.' },
  '/v1/inventory/1': { quantity: 9 },
}

const changeMethod = (url: string) => (url.endsWith('/details') ? 'PUT' : 'PATCH')

const readers = requestsWith('IfNoneMatch').filter(({ url }) => url in listsOf)
/** The tag of a photo is that of its file, which has tests of its own. */
const isOfRecord = ({ url }: { url: string }) => !url.endsWith('/photo')
const writers = requestsWith('IfMatch').filter(isOfRecord)

it('every record that is changed on a condition can be read with its tag', () => {
  const read = readers.map(({ url }) => url)
  assert.deepEqual([...new Set(writers.map(({ url }) => url))].sort(), read.toSorted())
  assert.deepEqual(read.toSorted(), Object.keys(listsOf).sort())
})

for (const { operationId, url } of readers) {
  it(`304: ${operationId} and its list have one tag of the record, until it changes`, async () => {
    const { api } = await startApp()
    await fillStore(api)
    const list = listsOf[url] ?? ''
    const ask = (path: string, tag: string) => api.get(path, { headers: { 'if-none-match': tag } })

    const read = await api.get(url)
    const { etag = '' } = read.headers
    const listed = await api.get(list)

    assert.match(etag, /^"[\w-]{22}"$/)
    assert.equal(read.headers['cache-control'], 'private, no-cache')
    assert.equal(listed.text, `[${read.text}]`)
    assert.equal(listed.headers.etag, etag)
    assert.equal((await api.get(list.replace(/\?.*/, ''))).headers.etag, undefined)
    for (const path of [url, list]) {
      const known = await ask(path, `"x", ${etag}`)
      assert.deepEqual([known.status, known.text, known.headers.etag], [304, '', etag])
      assert.equal((await ask(path, '"x"')).status, 200)
    }
    const changed = await api.send(changeMethod(url), url, { body: otherChanges[url] })
    assert.equal(changed.status, 200, changed.text)
    for (const path of [url, list]) {
      const { status, headers } = await ask(path, etag)
      assert.deepEqual([status, headers.etag], [200, changed.headers.etag])
    }
  })
}

for (const { operationId, method, url, status, ...request } of writers) {
  const { body } = request

  it(`412: ${operationId} changes a record that matches If-Match, and no other`, async () => {
    const { api, context } = await startApp()
    await fillStore(api)
    const change = (ifMatch: string, path: string = url) =>
      api.send(method, path, { body, headers: { 'if-match': ifMatch } })
    const { text, headers } = await api.get(url)
    const { etag = '' } = headers

    for (const tag of ['"x"', 'W/"x"', '"*"']) {
      const refused = await change(tag)
      expectError(refused, 412, 'precondition_failed')
      assert.match(refused.text, / 1 no longer matches If-Match\. Fetch it and retry\./)
    }
    expectError(await change(etag.replaceAll('"', '')), 400, 'invalid_parameter')
    expectError(await change('*', url.replace('/1', '/99')), 404, 'not_found')
    assert.equal((await api.get(url)).text, text)

    // Another client changes the record between the look at it and the change.
    const { write } = context.db
    context.db.write = async (...args) => {
      context.db.write = write
      await api.send(changeMethod(url), url, { body: otherChanges[url] })
      return write(...args)
    }
    expectError(await change(etag), 412, 'precondition_failed')
    const current = await api.get(url)
    assert.notEqual(current.headers.etag, etag)

    // As nginx sends the tag of a response that it compresses.
    const done = await change(`"x", W/${current.headers.etag}`)
    assert.equal(done.status, status, done.text)
    const after = await api.get(url)
    if (method === 'DELETE') expectError(after, 404, 'not_found')
    else {
      assert.equal(after.text, done.text)
      assert.equal(after.headers.etag, done.headers.etag)
    }
  })
}
