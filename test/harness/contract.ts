import assert from 'node:assert/strict'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** A received response. Header names are in lower case. */
export type Answer = { status: number; headers: Record<string, string>; text: string }

type Json = Record<string, unknown>
type Response = {
  headers?: Json
  content?: Record<string, { schema: Json }>
  'x-error-codes'?: string[]
}
type Operation = { operationId: string; responses: Record<string, Response> }

const document = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as Json & {
  paths: Record<string, Record<string, Operation>>
  'x-any-path': Record<string, Response>
  'x-any-response': Response
}

/** Headers of the connection, or of CORS, which has its own specification. */
export const undeclaredHeaders =
  /^(?:date|connection|keep-alive|content-length|content-type|transfer-encoding|access-control-.*)$/

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat('int32', true)
ajv.addFormat('int64', true)
ajv.addFormat('binary', true)
ajv.addFormat('uri', (text) => URL.canParse(text) || /^urn:[a-z]+:\S+$/.test(text))
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/)
ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/)
ajv.addSchema(closed(document), 'openapi')

/** Records may gain members in later versions, so the document leaves them open; what this version sends, it declares. */
function closed(schema: Json): Json {
  const isObject = 'properties' in schema && !('additionalProperties' in schema)
  const parts = Object.entries(schema).map(([name, part]) => [
    name,
    typeof part === 'object' && part !== null && !Array.isArray(part) ? closed(part as Json) : part,
  ])
  return { ...Object.fromEntries(parts), ...(isObject ? { additionalProperties: false } : {}) }
}

/** The file that records the responses of a run, for the coverage check. */
const notesFolder = process.env.CONTRACT_NOTES

/** Fails unless the document declares this response: status, headers, media type, body and code. */
export function checkAnswer(method: string, url: string, answer: Answer): void {
  const path = pathOf(url)
  const found = findOperation(method, path)
  const where = `${method} ${path} → ${answer.status}`
  const pointer = found
    ? `#/paths/${escapePointer(found.template)}/${found.method}/responses/${answer.status}`
    : `#/x-any-path/${answer.status}`
  const declared = resolve(pointer)
  assert.ok(declared, `${where}: the document does not declare this status`)
  const code = checkBody(method, where, declared, answer)
  checkHeaders(where, declared, answer)
  note({
    operationId: found?.operation.operationId ?? 'x-any-path',
    status: answer.status,
    code,
    headers: Object.keys(answer.headers),
  })
}

type Injected = { statusCode: number; headers: Record<string, unknown>; payload: string }

/** A response of `inject`, checked as `checkAnswer` does. */
export function checkInjected(method: string, url: string, response: Injected): Answer {
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  )
  const answer = { status: response.statusCode, headers, text: response.payload }
  checkAnswer(method, url, answer)
  return answer
}

/** The headers that any response may have. */
const { headers: anyHeaders = {} } = document['x-any-response']
export const commonHeaders = Object.keys(anyHeaders)

/** All declared responses; `x-any-path` has those of any path. */
export const declaredAnswers = [
  ...Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ responses }) => responses !== undefined),
  { operationId: 'x-any-path', responses: document['x-any-path'] },
].flatMap(({ operationId, responses }) =>
  Object.entries(responses).map(([status, answer]) => {
    const { $ref } = answer as { $ref?: string }
    const { headers = {}, 'x-error-codes': codes = [] } = ($ref && resolve($ref)) || answer
    return { operationId, status: Number(status), codes, headers: Object.keys(headers) }
  }),
)

/** The record of a response, with the `code` of its body, if any. */
export type Note = {
  operationId: string
  status: number
  code: string | undefined
  headers: string[]
}

const noted = new Set<string>()

/** Equal responses are recorded once. */
function note(answer: Note) {
  const line = `${JSON.stringify(answer)}\n`
  if (!notesFolder || noted.has(line)) return
  noted.add(line)
  appendFileSync(join(notesFolder, `${process.pid}.jsonl`), line)
}

/** The path of a request target as sent, not normalised. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]
  return path || '/'
}

/** Paths without a key exist below the base address, which ends in /v1, and beside it. */
const isOpen = /^\/(?:health\/|\.well-known\/|(?:openapi|arazzo)\.json$)/

const patterns = Object.entries(document.paths).map(([template, operations]) => ({
  template,
  operations,
  pattern: new RegExp(
    `^${isOpen.test(template) ? '(?:/v1)?' : '/v1'}${template.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`,
  ),
}))

function findOperation(method: string, path: string) {
  const name = method === 'HEAD' ? 'get' : method.toLowerCase()
  for (const { template, operations, pattern } of patterns) {
    const operation = operations[name]
    if (operation && pattern.test(path)) return { template, method: name, operation }
  }
  return undefined
}

function resolve(pointer: string): Response | undefined {
  let value: unknown = document
  for (const part of pointer.slice(2).split('/')) {
    value = (value as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  const { $ref } = (value ?? {}) as { $ref?: string }
  return $ref ? resolve($ref) : (value as Response | undefined)
}

const isJson = /[/+]json$/

function checkBody(
  method: string,
  where: string,
  declared: Response,
  answer: Answer,
): string | undefined {
  const sent = String(answer.headers['content-type'] ?? '')
  const [type = ''] = sent.split(';', 1)
  if (!declared.content) {
    assert.equal(answer.text, '', `${where}: the document declares no body`)
    return undefined
  }
  const content = declared.content[type] ?? declared.content[sent]
  assert.ok(content, `${where}: the document does not declare ${type}`)
  // A part of the body is not valid by itself.
  if (answer.status === 206) return undefined
  if (method === 'HEAD') {
    assert.equal(answer.text, '', `${where}: an answer to HEAD has no body`)
    return undefined
  }
  const body = (isJson.test(type ?? '') ? JSON.parse(answer.text) : answer.text) as Json
  const validate = validatorOf(content.schema)
  assert.ok(
    validate(body),
    `${where}: ${ajv.errorsText(validate.errors)} in ${answer.text.slice(0, 300)}`,
  )
  const codes = declared['x-error-codes']
  if (!codes || !isJson.test(type)) return undefined
  assert.ok(
    codes.includes(String(body.code)),
    `${where}: the document does not declare the code ${body.code}`,
  )
  assert.equal(body.status, answer.status, `${where}: status in the body`)
  return String(body.code)
}

const validators = new Map<Json, ValidateFunction>()

/** Compiled once for each schema; references resolve within the validator that holds the document. */
function validatorOf(schema: Json): ValidateFunction {
  let validate = validators.get(schema)
  if (!validate) {
    validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')))
    validators.set(schema, validate)
  }
  return validate
}

function checkHeaders(where: string, declared: Response, { headers, status }: Answer) {
  const known = Object.entries({ ...anyHeaders, ...declared.headers }).map(([name, header]) => {
    const { $ref } = header as { $ref?: string }
    return [
      name.toLowerCase(),
      ($ref ? resolve($ref) : header) as unknown as { schema: Json },
    ] as const
  })
  const byName = new Map(known)
  for (const [name, value] of Object.entries(headers)) {
    if (undeclaredHeaders.test(name) || (name === 'vary' && value === 'Origin')) continue
    const header = byName.get(name)
    assert.ok(header, `${where}: the document does not declare the header ${name}`)
    assert.ok(ajv.validate(header.schema, value), `${where}: ${name} is ${value}`)
  }
  const always = [
    'x-request-id',
    'x-content-type-options',
    'cache-control',
    ...(status === 401 ? ['www-authenticate'] : []),
  ]
  for (const name of [...always, ...(status === 503 ? ['retry-after'] : [])]) {
    assert.ok(headers[name], `${where}: ${name} is missing`)
  }
}

function escapePointer(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1')
}
