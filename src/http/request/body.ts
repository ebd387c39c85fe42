import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ReceivedBytes } from '../../contract/content.ts'
import { parseJson } from '../../contract/int64-json.ts'
import type { BodyContent } from '../../contract/operation.ts'
import { type Problem, quotedName, shown } from '../../contract/problem.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { nearestName } from '../../nearest-name.ts'
import { aboutBody } from './describe-failure.ts'
import { fileInForm } from './form.ts'
import { splitHeader } from './header-list.ts'
import { locateInvalidUtf8, locateJsonError } from './locate-json-error.ts'
import { invalid, unknownMax, unknownProblems } from './problems.ts'
import { compileCheck } from './schema.ts'

/** The only type that Fastify knows; a route checks the type that was sent, and puts this one in its place. */
export const bodyType = 'application/json'

/** A body without a schema; of a form, the file in it. Throws `invalid_body`, `invalid_parameter`. */
export function receivedBytes(
  { raw, body }: FastifyRequest,
  { part }: Pick<BodyContent, 'part'>,
): ReceivedBytes {
  const { rawHeaders } = raw
  const at = rawHeaders.findIndex((name, at) => at % 2 === 0 && /^content-type$/i.test(name))
  const sent = at === -1 ? '' : (rawHeaders[at + 1] ?? '')
  const [mediaType = ''] = sent.toLowerCase().split(';', 1)
  const bytes = (body as Buffer | undefined) ?? Buffer.alloc(0)
  return {
    mediaType: mediaType.trim() || undefined,
    bytes: part ? fileInForm(sent, bytes, part.name) : bytes,
  }
}

/**
 * Compiles the check of a body by its headers. It throws `unsupported_media_type` unless they declare a media type of the
 * operation, text in UTF-8, or nothing; `body_too_large` by `Content-Length`.
 */
export function compileHeaderCheck({ mediaTypes, sizeMaxBytes }: BodyContent) {
  const [preferred = ''] = mediaTypes
  const known = new Set(mediaTypes)
  const allowed = mediaTypes
    .map((type) => (isText.test(type) ? `${type} in UTF-8` : type))
    .join(' or ')
  const advice = `Send the body as ${allowed}`

  return (headers: IncomingHttpHeaders): void => {
    const { 'content-type': type = '', 'content-encoding': coding = '' } = headers
    if (!/^(?:identity)?$/i.test(coding)) {
      throw unsupported(
        `Send the body as it is, without Content-Encoding; that of this one was ${shown(coding)}.`,
      )
    }
    if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
      throw unsupported(
        `${advice}, with the header Content-Type: ${preferred}; without that header curl -d sends ${shown(type)}.`,
      )
    }
    if (type !== '' && type !== preferred && !isOneOf(known, type)) {
      throw unsupported(`${advice}; the Content-Type of this one was ${shown(type)}.`)
    }
    if (Number(headers['content-length']) > sizeMaxBytes) throw bodyTooLarge(sizeMaxBytes)
  }
}

function unsupported(message: string): ServiceError {
  return new ServiceError('unsupported_media_type', message)
}

const isText = /^text\/|json$/

/** Whether a `Content-Type` is one of these, its text in UTF-8. */
function isOneOf(known: ReadonlySet<string>, contentType: string): boolean {
  const [type = '', ...parameters] = splitHeader(contentType, ';')
  const admitsUtf8 = (parameter: string) => {
    const [name = '', value] = parameter.split('=', 2)
    return !/^charset$/i.test(name.trim()) || value === undefined || utf8.test(value.trim())
  }
  return known.has(type.trim().toLowerCase()) && parameters.every(admitsUtf8)
}

const utf8 = /^(?:utf-?8|"utf-?8")$/i

export function bodyTooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The body is larger than ${maxBytes} bytes, the maximum.`,
  )
}

/** The known members of a body, and the names of the others, ten at most. */
type ParsedBody = { body: unknown; ignored: readonly string[] }

/**
 * Compiles an operation's body into a parser, which throws `invalid_json`, or `invalid_body` with every problem. Unknown
 * members are problems where they are refused.
 */
export function compileBody({
  schema = {},
  isOptional,
}: BodyContent): (bytes: Buffer | undefined, handling: { isStrict: boolean }) => ParsedBody {
  const {
    $id = 'the body',
    properties = {},
    allowed = 'JSON',
  } = schema as { $id?: string; properties?: object; allowed?: string }
  const known = Object.keys(properties)
  const knownSet = new Set(known)
  const nested = Object.entries(properties as Record<string, NestedSchema>).flatMap(
    ([name, { $id: of = name, properties: members, additionalProperties: isOpen }]) => {
      const own = Object.keys(members ?? {})
      return members && !isOpen ? [{ name, of, known: own, knownSet: new Set(own) }] : []
    },
  )
  const check = compileCheck(schema, aboutBody)

  /** A member that is missing may be there with a typo. */
  function nameMistyped(problems: Problem[], ignored: readonly string[]) {
    for (const name of ignored) {
      const meant = nearestName(name, known)
      const problem = problems.find(
        ({ pointer, detail }) => pointer === `/${meant}` && detail === 'is missing',
      )
      if (problem) problem.detail = `is missing; did you misspell it as ${quotedName(name)}?`
    }
  }

  return (bytes, { isStrict }) => {
    if (!bytes || bytes.length === 0) {
      if (isOptional) return { body: {}, ignored: [] }
      throw new ServiceError('invalid_json', `The body is empty; send ${allowed}.`)
    }
    const body = parseJsonBody(bytes)
    const problems = check(body)
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    const ignored = isObject ? findUnknownMembers(body, knownSet) : []
    if (problems.length > 0) nameMistyped(problems, ignored)
    const refused = isStrict ? unknownProblems(ignored, { kind: 'member', of: $id, known }) : []
    const found = ignored.length === 0 ? body : pick(body as Members, known)
    const others: string[] = []
    for (const { name, ...own } of nested) {
      const value = (found as Members | null)?.[name]
      if (typeof value !== 'object' || value === null) continue
      const names = findUnknownMembers(value, own.knownSet)
      others.push(...names.map((unknown) => `${name}.${unknown}`))
      if (isStrict)
        refused.push(...unknownProblems(names, { kind: 'member', within: `/${name}`, ...own }))
      // In the order of the schema, whatever that of the client.
      Object.assign(found as Members, { [name]: pick(value as Members, own.known) })
    }
    const isTypoRefused = refused.length > 0
    if (isTypoRefused) problems.push(...refused)
    if (problems.length > 0) throw invalid('invalid_body', problems, { isStrict: isTypoRefused })
    return { body: found, ignored: [...ignored, ...others].slice(0, unknownMax) }
  }
}

type NestedSchema = { $id?: string; properties?: object; additionalProperties?: boolean }

/** The members of a parsed body that its schema does not have, ten at most. */
export function findUnknownMembers(body: object, known: ReadonlySet<string>): readonly string[] {
  let unknown: string[] | undefined
  // Objects of parsed JSON inherit nothing that is enumerable.
  for (const name in body) {
    if (known.has(name)) continue
    unknown ??= []
    if (unknown.push(name) === unknownMax) break
  }
  return unknown ?? []
}

type Members = Record<string, unknown>

function pick(body: Members, known: readonly string[]): Members {
  const own = known.filter((name) => Object.hasOwn(body, name))
  return Object.fromEntries(own.map((name) => [name, body[name]]))
}

/** Deeper nesting is refused: no schema is nested, and parsers differ in their limits. */
const depthMax = 500
const byteOrderMark = 0xfeff

/**
 * Parses the JSON of a body with exact integers. Throws `invalid_json` with the position of the error, `invalid_body` when
 * it is nested too deeply.
 */
function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) {
    throw new ServiceError(
      'invalid_json',
      `The body is not JSON: it is not valid UTF-8 at ${locateInvalidUtf8(bytes)}.`,
    )
  }
  const sent = bytes.toString('utf8')
  const text = sent.charCodeAt(0) === byteOrderMark ? sent.slice(1) : sent
  let value: unknown
  try {
    value = parseJson(text)
  } catch (cause) {
    const message = `The body is not JSON: ${locateJsonError(text)}.`
    throw new ServiceError('invalid_json', message, { cause })
  }
  if (text.length > depthMax && isDeeper(value, depthMax)) {
    throw new ServiceError('invalid_body', `The body is nested more than ${depthMax} levels deep.`)
  }
  return value
}

/** Whether a parsed value is nested more deeply. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}
