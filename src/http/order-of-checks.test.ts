import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectError, startApp } from '../../test/harness/app.ts'
import { unavailable } from '../db/errors.ts'

const noHost = { host: 'two hosts' }
const removed = '2030-12-05T00:00:00Z'
const tooLarge = Buffer.alloc(65_537, '{')
const limited = { PETSTORE_RATE_LIMIT_PER_SECOND: '1' }
const plain = { 'content-type': 'text/plain' }

/** Each request violates two consecutive checks; the first one determines the response. */
describe('a request that violates two checks gets the error of the first', () => {
  it('400: a readable request, then the path', async () => {
    const { api } = await startApp()
    expectError(await api.get('/v1/nothing', { headers: noHost }), 400, 'invalid_request')
  })

  it('404: the path, then the method', async () => {
    const { api } = await startApp()
    expectError(await api.send('DELETE', '/v1/nothing'), 404, 'not_found')
  })

  it('405: the method, then the key', async () => {
    const { api } = await startApp()
    const response = await api.send('DELETE', '/v1/pets', { key: null })
    expectError(response, 405, 'method_not_allowed')
  })

  it('401: the key, then its rate', async () => {
    const { api, issueKey, clock } = await startApp({ settings: limited })
    const key = await issueKey({ validMs: 1 })
    await api.get('/v1/pets', { key })
    clock.ms += 1
    expectError(await api.get('/v1/pets', { key }), 401, 'expired_api_key')
  })

  it('429: the rate, then the scope, the removal, the media type and the size', async () => {
    const { api, issueKey } = await startApp({ now: removed, settings: limited })
    const key = await issueKey({ scopes: ['orders:read'] })
    await api.get('/v1/store/orders', { key })
    expectError(await api.get('/v1/pets', { key }), 429, 'rate_limited')
    expectError(await api.get('/v1/pets/1', { key }), 429, 'rate_limited')
    const sent = { key, rawBody: tooLarge, headers: plain }
    expectError(await api.send('POST', '/v1/pets', sent), 429, 'rate_limited')
  })

  it('403: the scope, then the removal', async () => {
    const { api, issueKey } = await startApp({ now: removed })
    const key = await issueKey({ scopes: ['pets:write'] })
    expectError(await api.get('/v1/pets/1', { key }), 403, 'insufficient_scope')
  })

  it('403: the scope, then the parameters', async () => {
    const { api, issueKey } = await startApp()
    const key = await issueKey({ scopes: ['pets:write'] })
    expectError(await api.get('/v1/pets?limit=0', { key }), 403, 'insufficient_scope')
  })

  it('410: the removal, then the id in the path', async () => {
    const { api } = await startApp({ now: removed })
    expectError(await api.get('/v1/pets/x'), 410, 'operation_removed')
  })

  it('415: the media type, then the size', async () => {
    const { api } = await startApp()
    const response = await api.send('POST', '/v1/pets', { rawBody: tooLarge, headers: plain })
    expectError(response, 415, 'unsupported_media_type')
  })

  it('413: the size, then the body', async () => {
    const { api } = await startApp()
    const response = await api.send('POST', '/v1/pets', { rawBody: tooLarge })
    expectError(response, 413, 'body_too_large')
  })

  it('400: the text of the body, then its members', async () => {
    const { api } = await startApp()
    const response = await api.send('POST', '/v1/pets', { rawBody: '{"name":"","categoryId":"7"' })
    expectError(response, 400, 'invalid_json')
  })

  it('400: the parameters, then the cursor', async () => {
    const { api } = await startApp()
    expectError(await api.get('/v1/pets?limit=0&cursor=x'), 400, 'invalid_parameter')
  })

  it('404: the id in the path, then the body', async () => {
    const { api } = await startApp()
    const response = await api.send('PATCH', '/v1/pets/x', { rawBody: '{' })
    expectError(response, 404, 'not_found')
  })

  it('400: the body, then the record', async () => {
    const { api } = await startApp()
    const response = await api.send('PATCH', '/v1/pets/1', { body: { name: '' } })
    expectError(response, 400, 'invalid_body')
  })

  it('404: the record, then the precondition', async () => {
    const { api } = await startApp()
    const headers = { 'if-match': '"x"' }
    expectError(await api.send('DELETE', '/v1/pets/1', { headers }), 404, 'not_found')
  })

  it('412: the precondition, then what the store refuses', async () => {
    const { api } = await startApp()
    await api.createPet({ status: 'sold' })
    const sent = { body: { status: 'pending' }, headers: { 'if-match': '"x"' } }
    expectError(await api.send('PATCH', '/v1/pets/1', sent), 412, 'precondition_failed')
  })

  // RFC 9110, section 13.2.1: a precondition counts only where the request would succeed without it. The record is compared
  // in the transaction of the change; where that is rolled back, an earlier change in it may be why they differ.
  it('503: a store that cannot write, then the record and the precondition', async () => {
    const { api, context } = await startApp()
    const { id } = await api.createPet()
    const { write } = context.db
    const headers = { 'if-match': '"x"' }
    const change = (pet: number) =>
      api.send('PATCH', `/v1/pets/${pet}`, { body: { name: 'Max' }, headers, isRepeated: false })

    context.db.write = () => Promise.reject(unavailable.storing(new Error('The disk is full.')))
    expectError(await change(id), 503, 'unavailable')
    expectError(await change(id + 1), 503, 'unavailable')
    assert.equal((await api.get(`/v1/pets/${id}`)).status, 200)

    context.db.write = write
    expectError(await change(id), 412, 'precondition_failed')
    expectError(await change(id + 1), 404, 'not_found')
  })

  it('400: the parameters, then the database', async () => {
    const { api, failDb } = await startApp()
    failDb(new Error('The database is away.'))
    expectError(await api.get('/v1/pets?limit=0'), 400, 'invalid_parameter')
    expectError(await api.get('/v1/pets/x'), 404, 'not_found')
    expectError(await api.post('/v1/pets', {}), 400, 'invalid_body')
  })
})
