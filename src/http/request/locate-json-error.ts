import { isUtf8 } from 'node:buffer'

const whiteSpace = /[ \t\n\r]*/y
/** A string without its closing quote, as far as it is valid; then an unfinished escape. */
const stringStart = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y
const escapeStart = /\\(?:u[\da-fA-F]{0,3})?/y
/** A number as far as it is valid; complete when it ends in a digit. */
const numberStart = /-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+(?:[eE](?:[+-]?\d*))?)?|[eE](?:[+-]?\d*))?)?/y

/** The first characters of the tokens that each place allows; `0` stands for numbers and words. */
const allowed = {
  'a value': '"0[{',
  'a value or ]': '"0[{]',
  'a name in double quotes': '"',
  'a name in double quotes or }': '"}',
  ':': ':',
  ', or ]': ',]',
  ', or }': ',}',
  'the end': '',
}
type Expected = keyof typeof allowed

/** `missing`: what was expected where the token breaks off. */
type Token = { kind: string; end: number; missing?: string | undefined }

/**
 * Locates the first character that cannot continue valid JSON, as `unexpected "x" at line 1, column 7; expected a
 * value`. The engine's own message has a position only for some errors.
 */
export function locateJsonError(text: string): string {
  const open: string[] = []
  let expected: Expected = 'a value'
  let position = 0

  function expectAfter(kind: string): Expected {
    if (kind === ':') return 'a value'
    if (kind === ',') return open.at(-1) === '[' ? 'a value' : 'a name in double quotes'
    if (kind === '"' && expected.startsWith('a name')) return ':'
    if (kind === '[' || kind === '{') {
      open.push(kind)
      return kind === '[' ? 'a value or ]' : 'a name in double quotes or }'
    }
    if (kind === ']' || kind === '}') open.pop()
    if (open.length === 0) return 'the end'
    return open.at(-1) === '[' ? ', or ]' : ', or }'
  }

  while (true) {
    const start = text.charCodeAt(position) > 0x20 ? position : endOf(whiteSpace, text, position)
    const token = readToken(text, start)
    if (!token || !allowed[expected].includes(token.kind)) return describe(text, start, expected)
    if (token.missing) return describe(text, token.end, token.missing)
    expected = expectAfter(token.kind)
    position = token.end
  }
}

function readToken(text: string, start: number): Token | undefined {
  const first = text[start] ?? ' '
  if ('[]{}:,'.includes(first)) return { kind: first, end: start + 1 }
  if (first === '"') return readString(text, start)
  const word = words[first]
  if (word !== undefined) return readWord(word, text, start)
  const end = endOf(numberStart, text, start)
  if (end === start) return undefined
  const last = text[end - 1] ?? ''
  return { kind: '0', end, missing: last >= '0' && last <= '9' ? undefined : 'a digit' }
}

const words: Record<string, string> = { t: 'true', f: 'false', n: 'null' }

function readString(text: string, start: number): Token {
  const end = endOf(stringStart, text, start)
  if (text[end] === '"') return { kind: '"', end: end + 1 }
  const escapeEnd = endOf(escapeStart, text, end)
  const missing =
    escapeEnd === end
      ? 'a double quote, or a character that is no control character'
      : escapeEnd === end + 1
        ? 'one of " \\ / b f n r t u'
        : 'a hexadecimal digit'
  return { kind: '"', end: escapeEnd, missing }
}

function readWord(word: string, text: string, start: number): Token {
  let length = 0
  while (length < word.length && text[start + length] === word[length]) length++
  const missing = length < word.length ? `${word[length]} of ${word}` : undefined
  return { kind: '0', end: start + length, missing }
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}

function describe(text: string, position: number, expected: string): string {
  const advice = adviceFor(text, position, expected)
  const expectation = `expected ${expected}${advice === undefined ? '' : `; ${advice}`}`
  return `unexpected ${show(text, position)} at ${placeOf(text, position)}; ${isForm(text) ? 'send JSON, not a form' : expectation}`
}

/** Whether a text begins as a form, such as `name=Rex`. */
function isForm(text: string): boolean {
  return /^[\w.+%-]{1,100}=/.test(text)
}

/** What to do about a frequent mistake; `undefined` for the others. */
function adviceFor(text: string, position: number, expected: string): string | undefined {
  const isName = expected.startsWith('a name')
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
  if (/^[\n\r]/.test(rest) && expected.startsWith('a double quote')) {
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
  const before = text.slice(0, position)
  const lineStart = before.lastIndexOf('\n') + 1
  let line = 1
  for (let end = 0; end < lineStart; end = before.indexOf('\n', end) + 1) line++
  let column = 1
  for (const _ of before.slice(lineStart)) column++
  return `line ${line}, column ${column}`
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
