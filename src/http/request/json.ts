import { isUtf8 } from 'node:buffer'
import { parseJson } from '../../contract/int64-json.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { locateInvalidUtf8, locateJsonError } from './locate-json-error.ts'

/** Deeper nesting is refused: no schema is nested, and parsers differ in their limits. */
const depthMax = 500

/**
 * Parses the JSON of a body with exact integers. Throws `invalid_json` with the position of the error, `invalid_body` when
 * it is nested too deeply.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) {
    throw new ServiceError(
      'invalid_json',
      `The body is not JSON: it is not valid UTF-8 at ${locateInvalidUtf8(bytes)}.`,
    )
  }
  const text = withoutByteOrderMark(bytes.toString('utf8'))
  const value = parse(text)
  if (text.length > depthMax && depthOf(text) > depthMax) {
    throw new ServiceError('invalid_body', `The body is nested more than ${depthMax} levels deep.`)
  }
  return value
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new ServiceError('invalid_json', `The body is not JSON: ${locateJsonError(text)}.`, {
      cause: error,
    })
  }
}

/** The nesting depth of valid JSON. */
function depthOf(text: string): number {
  let open = 0
  let depth = 0
  for (let position = 0; position < text.length; position++) {
    switch (text[position]) {
      case '{':
      case '[':
        depth = Math.max(depth, ++open)
        break
      case '}':
      case ']':
        open--
        break
      case '"':
        position = endOfString(text, position)
    }
  }
  return depth
}

/** The position of a string's closing quote. */
function endOfString(text: string, start: number): number {
  let end = start + 1
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end
}
