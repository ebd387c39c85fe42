import { isUtf8 } from 'node:buffer'

/** The search parses a text a dozen times: of 64 KiB that would take up to 70 ms. */
const searchedMax = 4_096

/**
 * What is wrong with a text that `JSON.parse` refuses: the first character that cannot continue valid JSON, and what the engine
 * says of it, as `unexpected "}" at line 1, column 7; expected ',' or ']' after array element`. Of an unexpected token in a text
 * longer than `max` it shows the surrounding characters instead of the place.
 */
export function locateJsonError(text: string, max = searchedMax): string {
  const message = messageOf(text)
  const isSearched = text.length <= max
  const position = positionIn(message, text) ?? (isSearched ? findPosition(text) : undefined)
  if (position === undefined) return message.replace(' is not valid JSON', '')
  const [reason = ''] = message.split(' in JSON at ', 1)
  const expectation = reason.startsWith('Unexpected ')
    ? ''
    : reason.charAt(0).toLowerCase() + reason.slice(1)
  const advice = isForm(text) ? 'send JSON, not a form' : adviceFor(text, position, expectation)
  const unexpected = `unexpected ${show(text, position)} at ${placeOf(text, position)}`
  return [unexpected, expectation, advice].filter(Boolean).join('; ')
}

/** The message of `JSON.parse`; empty for valid JSON. */
function messageOf(text: string): string {
  try {
    JSON.parse(text)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

/** The position that a message states, if it does. */
function positionIn(message: string, text: string): number | undefined {
  if (message === 'Unexpected end of JSON input') return text.length
  const [, position] = /JSON at position (\d+) \(line \d+ column \d+\)$/.exec(message) ?? []
  return position === undefined ? undefined : Number(position)
}

/** The engine states no position of an unexpected token. It follows the longest beginning of the text that is valid or incomplete. */
function findPosition(text: string): number {
  let [fits, fails] = [0, text.length]
  while (fails - fits > 1) {
    const middle = (fits + fails) >> 1
    const part = text.slice(0, middle)
    const message = messageOf(part)
    if (message === '' || positionIn(message, part) === middle) fits = middle
    else fails = middle
  }
  return fits
}

/** Whether a text begins as a form, such as `name=Rex`. */
function isForm(text: string): boolean {
  return /^[\w.+%-]{1,100}=/.test(text)
}

/** What to do about a frequent mistake; `undefined` for the others. */
function adviceFor(text: string, position: number, expectation: string): string | undefined {
  const isName = /^expected (?:double-quoted )?property name/.test(expectation)
  const rest = text.slice(position, position + 10)
  if (/^(?:\/[/*]|#)/.test(rest)) return 'JSON has no comments'
  if (/^['‘’“”`]/.test(rest)) return 'JSON takes straight double quotes'
  if (isName && /^[A-Za-z_$]/.test(rest)) return 'JSON takes names in double quotes'
  if (/^(?:True|False|None|undefined)/.test(rest)) {
    return 'JSON has true, false and null for it'
  }
  if (/^[}\]]/.test(rest) && /,\s*$/.test(text.slice(Math.max(0, position - 100), position))) {
    return 'remove the comma before it'
  }
  if (/^[\n\r]/.test(rest) && expectation.startsWith('bad control character')) {
    return 'write a line break in a string as \\n'
  }
  return undefined
}

function show(text: string, position: number): string {
  const codePoint = text.codePointAt(position)
  if (codePoint === undefined) return 'end'
  return codePoint === 0x22 ? 'double quote' : JSON.stringify(String.fromCodePoint(codePoint))
}

/** Lines end with a line feed; columns count characters. Both start at 1. */
function placeOf(text: string, position: number): string {
  const lines = text.slice(0, position).split('\n')
  return `line ${lines.length}, column ${Array.from(lines.at(-1) ?? '').length + 1}`
}

/** Locates the first invalid UTF-8, as `line 1, column 7`. */
export function locateInvalidUtf8(bytes: Buffer): string {
  const lenient = Buffer.from(bytes.toString('utf8'))
  let offset = 0
  while (offset < bytes.length && bytes[offset] === lenient[offset]) offset++
  const valid = bytes.subarray(0, offset)
  // A replacement character can begin with the same bytes as the invalid ones.
  const text = isUtf8(valid) ? valid.toString('utf8') : valid.toString('utf8').slice(0, -1)
  return placeOf(text.replace(/^\ufeff/, ''), text.length)
}
