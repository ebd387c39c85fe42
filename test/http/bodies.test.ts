import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aPet, expectError, startApp } from '../harness/app.ts'
import { chunks, lastChunk, startListening } from './start-listening.ts'

const wrongValues: Record<string, string[]> = {
  name: ['7', '1.5', 'true', 'null', '["Rex"]', '{"en":"Rex"}'],
  categoryId: ['"7"', '""', 'true', 'null', '[7]', '{}', '7.5', '"9223372036854775807"'],
  status: [
    '"AVAILABLE"',
    '"available "',
    '""',
    '0',
    'false',
    'null',
    '["sold"]',
    '{}',
    '"shipped"',
  ],
}

it('400 invalid_body: every member with values of the wrong type', async () => {
  const { api } = await startApp()

  for (const [member, values] of Object.entries(wrongValues)) {
    for (const value of values) {
      const others = Object.entries({ name: '"Rex"', categoryId: '7' })
        .filter(([name]) => name !== member)
        .map(([name, text]) => `"${name}":${text}`)
      const response = await api.send('POST', '/v1/pets', {
        rawBody: `{${[...others, `"${member}":${value}`].join(',')}}`,
      })
      expectError(response, 400, 'invalid_body')
      const { message } = JSON.parse(response.text)
      assert.match(
        message,
        new RegExp(`^${member} must be [^;]*; received [^;]*(?:\\.|; did you mean available\\?)$`),
      )
    }
  }
  for (const rawBody of ['null', 'true', '7', '"Rex"', '[]', `[${JSON.stringify(aPet())}]`]) {
    const response = await api.send('POST', '/v1/pets', { rawBody })
    expectError(response, 400, 'invalid_body')
    assert.match(response.text, /The body must be a JSON object with name and categoryId/)
  }
  expectError(await api.post('/v1/pets', {}), 400, 'invalid_body')
  assert.equal((await api.get('/v1/pets')).text, '[]')
})

it("400 or 201: members named like JavaScript's own properties are treated like others", async () => {
  const { api } = await startApp()
  const own = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '']

  for (const member of own) {
    const name = JSON.stringify(member)
    const inside = `{${name}:{"name":"Rex","categoryId":7,"status":"sold"}}`
    expectError(await api.send('POST', '/v1/pets', { rawBody: inside }), 400, 'invalid_body')
    const beside = `{${name}:{"status":"sold","id":99},"name":"Rex","categoryId":7}`
    const response = await api.send('POST', '/v1/pets', { rawBody: beside })
    assert.equal(response.status, 201, response.text)
    assert.doesNotMatch(response.text, /sold|99/)
  }
  const polluting =
    '{"__proto__":{"status":"sold"},"constructor":{"prototype":{"status":"sold"}},"name":"Rex","categoryId":1e2}'
  assert.equal((await api.send('POST', '/v1/pets', { rawBody: polluting })).status, 201)
  assert.doesNotMatch((await api.post('/v1/pets', aPet())).text, /status/)
})

it('201 for 500 levels of nesting, 400 for any deeper', async () => {
  const { api } = await startApp()
  const nested = (levels: number, [open, close]: readonly [string, string], number: string) =>
    `{"name":"Rex","categoryId":${number},"x":${open.repeat(levels - 1)}0${close.repeat(levels - 1)}}`

  for (const kind of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    for (const number of ['7', '7e0', '9007199254740993']) {
      const deepest = await api.send('POST', '/v1/pets', { rawBody: nested(500, kind, number) })
      assert.equal(deepest.status, 201, deepest.text)
      for (const levels of [501, 3_000, kind[0] === '[' ? 30_000 : 10_000]) {
        const response = await api.send('POST', '/v1/pets', {
          rawBody: nested(levels, kind, number),
        })
        expectError(response, 400, 'invalid_body')
        assert.match(response.text, /nested more than 500 levels/)
      }
    }
  }
  const unclosed = await api.send('POST', '/v1/pets', { rawBody: '['.repeat(30_000) })
  expectError(unclosed, 400, 'invalid_json')
  const inText = `{"name":"Rex","categoryId":7,"x":"${'[{'.repeat(1_000)}"}`
  assert.equal((await api.send('POST', '/v1/pets', { rawBody: inText })).status, 201)
})

it('201 for a body of 64 KiB, 413 for one byte more, by Content-Length and chunked', async () => {
  const { exchange, post, expectServes } = await startListening()
  const sizeMaxBytes = 65_536
  const bodyOf = (size: number) => JSON.stringify(aPet()).padEnd(size)

  for (const [size, status] of [
    [sizeMaxBytes, 201],
    [sizeMaxBytes + 1, 413],
  ] as const) {
    const body = bodyOf(size)
    const pieces = chunks(body.slice(0, 40_000), body.slice(40_000)) + lastChunk
    for (const request of [
      post(`Content-Length: ${size}\r\n`, body),
      post('Transfer-Encoding: chunked\r\n', pieces),
    ]) {
      const answer = await exchange(request, 'POST', '/v1/pets')
      assert.equal(answer.status, status, answer.text)
      if (status === 413) expectError(answer, 413, 'body_too_large')
    }
  }
  await expectServes(2)
})

it('400 invalid_json: a required body is missing; 200: a body of any kind where none is read', async () => {
  const { exchange, post, get, expectServes } = await startListening()

  for (const request of [
    post('', ''),
    post('Content-Length: 0\r\n', ''),
    post('Content-Length: 0\r\nContent-Type: application/json\r\n', ''),
    post('Transfer-Encoding: chunked\r\n', lastChunk),
  ]) {
    expectError(await exchange(request, 'POST', '/v1/pets'), 400, 'invalid_json')
  }
  for (const headers of [
    'Content-Length: 0\r\n',
    'Content-Length: 0\r\nContent-Type: text/plain\r\n',
    'Content-Type: application/json\r\n',
    'Transfer-Encoding: chunked\r\nContent-Type: multipart/form-data\r\n',
  ]) {
    const body = headers.startsWith('Transfer') ? lastChunk : ''
    assert.equal((await exchange(get(headers) + body, 'GET', '/v1/pets')).status, 200)
  }
  const withBody = `${get('Content-Length: 9\r\n')}{"a":"b"}`
  assert.equal((await exchange(withBody, 'GET', '/v1/pets')).status, 200)
  await expectServes(0)
})
