import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { eventTypes } from '../../src/features/event-types.ts'
import { startPetstore } from '../../src/start-petstore.ts'

/** What the document says of events, and of the requests that bring them. */

type Ref = { $ref: string }
type Example = { type: string }
type Webhook = {
  operationId: string
  security: unknown[]
  parameters: Ref[]
  requestBody: { content: { 'application/json': { schema: Ref } } }
  responses: Record<string, unknown>
}
type Schema = { properties: Record<string, { const?: string; $ref?: string }>; examples: Example[] }
const document = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, Record<string, { operationId: string }>>
  webhooks: { event: { post: Webhook } }
  components: {
    parameters: Record<string, { name: string; required: boolean }>
    schemas: Record<string, Schema> & {
      Event: { oneOf: Ref[]; discriminator: { propertyName: string; mapping: object } }
    }
  }
}
const { schemas, parameters } = document.components
const nameOf = ({ $ref = '' }: Partial<Ref>) => $ref.split('/').at(-1) ?? ''
const types = Object.keys(eventTypes)
const webhook = document.webhooks.event.post

it('the webhook has a name of its own, and the body is an event of any type', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))

  assert.ok(!operations.some(({ operationId }) => operationId === webhook.operationId))
  assert.equal(nameOf(webhook.requestBody.content['application/json'].schema), 'Event')
})

it('the type of an event tells which schema it has', () => {
  const { oneOf, discriminator } = schemas.Event

  assert.equal(discriminator.propertyName, 'type')
  assert.deepEqual(
    Object.entries(discriminator.mapping),
    types.map((type, index) => [type, oneOf[index]?.$ref]),
  )
  for (const [type, $ref] of Object.entries(discriminator.mapping)) {
    const { properties, examples } = schemas[nameOf({ $ref })] as Schema
    assert.equal(properties.type?.const, type)
    assert.deepEqual(
      examples.map((example) => example.type),
      [type],
    )
  }
})

it('the webhook has the headers of Standard Webhooks, no key, and says what a response does', () => {
  const headers = webhook.parameters.map((one) => parameters[nameOf(one)])
  assert.deepEqual(
    headers.map((header) => [header?.name, header?.required]),
    [
      ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, true]),
      ['traceparent', false],
    ],
  )
  assert.deepEqual(webhook.security, [])
  assert.deepEqual(Object.keys(webhook.responses), ['410', '2XX', 'default'])
})

it('200: a stream of events begins as its example shows', async () => {
  await using store = await startPetstore()
  const { examples } = Object(document.paths['/events']?.get).responses[200].content[
    'text/event-stream'
  ]
  const example: string = examples.stream.value
  const [start, event = ''] = example.split('\n\n')
  const [id, type, data = ''] = event.split('\n')
  const shown = JSON.parse(data.slice('data: '.length))
  const { id: _id, ...category } = shown.data
  const headers = { authorization: `Bearer ${store.key}`, 'content-type': 'application/json' }
  const body = JSON.stringify(category)
  await fetch(`${store.baseUrl}/categories`, { method: 'POST', headers, body })

  const response = await fetch(`${store.baseUrl}/events?after=0&type=category.created`, {
    headers: { ...headers, accept: 'text/event-stream' },
  })
  const received: string[] = []
  for await (const chunk of response.body ?? []) {
    received.push(Buffer.from(chunk).toString())
    if (received.join('').includes('data: ')) break
  }

  const [begin, sent = ''] = received.join('').split('\n\n')
  const lines = sent.split('\n')
  const found = JSON.parse((lines[2] ?? '').slice('data: '.length))
  assert.equal(begin, start)
  assert.match(lines[0] ?? '', new RegExp(`^${id?.replace(/\d+/, '\\d+')}$`))
  assert.equal(lines[1], type)
  assert.deepEqual(Object.keys(found), Object.keys(shown))
  assert.deepEqual({ ...found.data, id: 0 }, { ...shown.data, id: 0 })
})
