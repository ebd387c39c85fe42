import type { IncomingHttpHeaders } from 'node:http'
import type { Operation } from '../../contract/operation.ts'
import { type Problem, ServiceError } from '../../contract/service-error.ts'
import { splitHeader } from './header-list.ts'
import { parseJsonBody } from './json.ts'
import { compileCheck } from './schema.ts'

export const bodySizeMaxBytes = 65_536
export const bodyType = 'application/json'

/** Throws `unsupported_media_type` unless the headers declare plain JSON in UTF-8, or nothing. */
export function checkMediaType(headers: IncomingHttpHeaders): void {
  const { 'content-type': type = '', 'content-encoding': coding = '' } = headers
  if (!/^(?:identity)?$/i.test(coding)) {
    throw new ServiceError(
      'unsupported_media_type',
      `Send the body as it is, without Content-Encoding; that of this one was ${JSON.stringify(coding)}.`,
    )
  }
  if (type !== '' && type !== bodyType && !isJsonInUtf8(type)) {
    throw new ServiceError(
      'unsupported_media_type',
      `Send the body as application/json in UTF-8; the Content-Type of this one was ${JSON.stringify(type)}.`,
    )
  }
}

function isJsonInUtf8(contentType: string): boolean {
  const [type = '', ...parameters] = splitHeader(contentType, ';')
  const isUtf8 = (parameter: string) => {
    const [name = '', value] = parameter.split('=', 2)
    return !/^charset$/i.test(name.trim()) || value === undefined || utf8.test(value.trim())
  }
  return type.trim().toLowerCase() === bodyType && parameters.every(isUtf8)
}

const utf8 = /^(?:utf-?8|"utf-?8")$/i

/** Throws `body_too_large` by Content-Length. */
export function checkAnnouncedSize(headers: IncomingHttpHeaders): void {
  if (Number(headers['content-length']) > bodySizeMaxBytes) throw bodyTooLarge()
}

export function bodyTooLarge(): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The body is larger than ${bodySizeMaxBytes} bytes, the maximum.`,
  )
}

/** Compiles an operation's body into a parser, which throws `invalid_json`, or `invalid_body` with every problem. */
export function compileBody(
  schema: NonNullable<Operation['body']>,
): (bytes: Buffer | undefined) => unknown {
  const check = compileCheck(schema, (path) => ({ pointer: path }))
  return (bytes) => {
    if (!bytes || bytes.length === 0) {
      throw new ServiceError(
        'invalid_json',
        'The body is empty; this operation takes a JSON object.',
      )
    }
    const body = parseJsonBody(bytes)
    const problems = check(body)
    if (problems.length > 0) throw invalidBody(problems)
    return body
  }
}

function invalidBody(problems: Problem[]): ServiceError {
  const sentences = problems.map(({ pointer, detail }) =>
    pointer ? `${pointer.slice(1).replaceAll('/', '.')} ${detail}` : `The body ${detail}`,
  )
  return new ServiceError('invalid_body', `${sentences.join('; ')}.`, { problems })
}
