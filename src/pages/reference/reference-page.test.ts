import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp, type TestApp } from '../../../test/harness/app.ts'
import { fillStore } from '../../../test/harness/operations.ts'
import { errorCodes } from '../../contract/error-codes.ts'
import { keySection } from './get-key.ts'

async function readPage({ server }: TestApp) {
  const { statusCode, headers, body } = await server.inject({ url: '/docs' })
  assert.equal(statusCode, 200)
  return { headers, html: body }
}

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** The part of the page about an operation. */
function partOf(html: string, operationId: string): string {
  const [, part = ''] = html.split(
    `<details class="operation card" data-operation="${operationId}"`,
  )
  return part.split('<details class="operation card"')[0] ?? ''
}

it('200: the page has a content security policy that allows its own script alone', async () => {
  const app = await startApp()

  const { headers, html } = await readPage(app)
  const redirected = await app.server.inject({ url: '/docs/' })

  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src/)
  assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'/)
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  assert.doesNotMatch(html, /<script>|<style|\sstyle=|\son\w+=/)
  assert.deepEqual([redirected.statusCode, redirected.headers.location], [308, '../docs'])
})

it('200: the page has every operation with its marks, and every error once', async () => {
  const app = await startApp()
  const { paths } = JSON.parse((await app.server.inject({ url: '/openapi.json' })).body) as {
    paths: Record<string, Record<string, { operationId: string; 'x-stability'?: string }>>
  }

  const { html } = await readPage(app)

  for (const { operationId, 'x-stability': stability } of Object.values(paths).flatMap((path) =>
    Object.values(path),
  )) {
    const marks = [...partOf(html, operationId).matchAll(/class="tag tag-(beta|stable)"/g)]
    const found = marks.map(([, mark]) => mark)
    assert.deepEqual(found, stability ? [stability] : [], operationId)
  }
  for (const code of Object.keys(errorCodes)) {
    assert.equal(html.split(`id="error-${code}"`).length, 2, code)
  }
  const listPets = textOf(partOf(html, 'listPets'))
  assert.match(listPets, /limit integer, 1 to 100, default 20\n/)
  assert.match(listPets, /The key needs the scope pets:read\./)
  assert.doesNotMatch(html, /undefined|\[object/)
})

it('4xx: the service says what the page quotes', async () => {
  const app = await startApp()
  const { api } = app
  await fillStore(api)
  const { html } = await readPage(app)
  const expected = { 'if-match': '"other"' }
  const refused: [
    operationId: string,
    method: string,
    url: string,
    body?: unknown,
    headers?: object,
  ][] = [
    ['listPets', 'GET', '/v1/pets?limit=101'],
    ['createPet', 'POST', '/v1/pets', { name: [] }],
    ['getPet', 'GET', '/v1/pets/77'],
    ['updatePet', 'PATCH', '/v1/pets/1', { status: 'pending' }],
    ['updateCategory', 'PATCH', '/v1/categories/1', { name: 'x' }, expected],
    ['deleteCategory', 'DELETE', '/v1/categories/1', undefined, expected],
    ['deletePet', 'DELETE', '/v1/pets/2', undefined, expected],
    ['createOrder', 'POST', '/v1/store/orders', { petId: 77 }],
    ['getOrder', 'GET', '/v1/store/orders/77'],
    ['shipOrder', 'POST', '/v1/store/orders/2/ship'],
    ['deliverOrder', 'POST', '/v1/store/orders/1/deliver'],
    ['cancelOrder', 'DELETE', '/v1/store/orders/2'],
    ['getInventory', 'GET', '/v1/inventory/77'],
    ['updateInventory', 'PATCH', '/v1/inventory/77', { quantity: 1 }],
    ['updateInventory', 'PATCH', '/v1/inventory/1', { quantity: 1 }, expected],
    ['updateInventory', 'PATCH', '/v1/inventory/2', { quantity: 1 }],
  ]
  await api.send('PATCH', '/v1/pets/1', { body: { status: 'sold' } })

  for (const [operationId, method, url, body, headers = {}] of refused) {
    const sent = { headers: headers as Record<string, string>, ...(body ? { body } : {}) }
    const response = await api.send(method, url, sent)
    const { code, message } = response.json() as { code: string; message: string }
    const shown = textOf(partOf(html, operationId).split(`href="#error-${code}"`)[1] ?? '')
    const quoted = shown.split('\n')[0] ?? ''
    assert.ok(alike(quoted).endsWith(alike(message)), `${operationId}: ${quoted} · ${message}`)
  }
})

/** Ids and numbers may differ. */
const alike = (text: string) => text.replaceAll(/\d+/g, '0').replaceAll(/\(orders? [^)]*\)/g, '()')

it('the page says how to get a key of this very store', () => {
  const sectionOf = (environment: 'production' | 'staging', isInMemory: boolean) =>
    keySection({ environment, isInMemory }).text

  assert.match(sectionOf('production', false), />bin\/petstore keys create --name me</)
  assert.match(
    sectionOf('staging', false),
    />bin\/petstore keys create --environment staging --name me</,
  )
  assert.match(sectionOf('staging', true), /its key was shown when it started/)
  assert.doesNotMatch(sectionOf('staging', true), /keys create/)
})
