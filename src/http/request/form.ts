import { formBytesMax } from '../../contract/operation.ts'
import { shown } from '../../contract/problem.ts'
import type { ServiceError } from '../../contract/service-error.ts'
import { splitHeader } from './header-list.ts'
import { invalid } from './problems.ts'

const endOfLine = '\r\n'

/**
 * The file in a form (RFC 7578), its only part and of this name. Nothing of it is copied. Throws `invalid_body`,
 * `invalid_parameter` for a form without a boundary.
 */
export function fileInForm(contentType: string, form: Buffer, name: string): Buffer {
  const delimiter = `--${boundaryOf(contentType)}`
  const refuse = (detail: string): ServiceError =>
    invalid('invalid_body', [{ pointer: `/${name}`, detail }])
  const first = form.indexOf(delimiter)
  // A preamble in front of it is ignored (RFC 2046, section 5.1.1).
  const isOwnLine = first === 0 || isAt(form, first - endOfLine.length, endOfLine)
  const headersStart = first + delimiter.length + endOfLine.length
  if (form.length === 0 || isAt(form, first, `${delimiter}--`))
    throw refuse('is missing: the form has no part')
  if (!isOwnLine || !isAt(form, first, delimiter + endOfLine))
    throw refuse('cannot be found: the form has no line that is its boundary')
  const headersEnd = form.indexOf(endOfLine + endOfLine, headersStart - endOfLine.length)
  if (headersEnd === -1 || headersEnd - first > formBytesMax)
    throw refuse('cannot be found: the headers of the part have no end, or are too long')
  const found = nameIn(form.toString('utf8', headersStart, headersEnd))
  if (found !== name)
    throw refuse(`must be the name of the only part; that of the first is ${shown(found)}`)
  const start = headersEnd + 2 * endOfLine.length
  const end = form.indexOf(endOfLine + delimiter, start)
  if (end === -1) throw refuse('does not end: the form was cut, or not sent to its end')
  const isLast = isAt(form, end + endOfLine.length + delimiter.length, '--')
  if (!isLast) throw refuse('must be the only part; the form has more')
  return form.subarray(start, end)
}

/** RFC 2046, section 5.1.1. */
const boundaryPattern = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/

function boundaryOf(contentType: string): string {
  const boundary = parameterOf(contentType, 'boundary')
  if (boundary !== undefined && boundaryPattern.test(boundary)) return boundary
  const detail = `must have the boundary of the form; received ${shown(contentType)}. The program that makes the form also makes this header`
  throw invalid('invalid_parameter', [{ parameter: 'Content-Type', detail }])
}

/** The name of a part, by its headers. */
function nameIn(headers: string): string | undefined {
  const lines = headers.split(endOfLine)
  const disposition = lines.find((line) => /^content-disposition:/i.test(line))
  return disposition && parameterOf(disposition, 'name')
}

/** A parameter of a header, without its quotes. */
function parameterOf(header: string, wanted: string): string | undefined {
  for (const parameter of splitHeader(header, ';').slice(1)) {
    const [name = '', ...rest] = parameter.split('=')
    const value = rest.join('=').trim()
    if (name.trim().toLowerCase() !== wanted) continue
    return value.length > 1 && value.startsWith('"') && value.endsWith('"')
      ? value.slice(1, -1)
      : value
  }
  return undefined
}

function isAt(form: Buffer, at: number, text: string): boolean {
  return form.toString('latin1', at, at + text.length) === text
}
