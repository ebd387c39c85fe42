import type { Column, Row, Value } from '../db.ts'

// The text format of PostgreSQL's COPY: a line for each row, tabs between its values, `\N` for null, `\` before control
// characters. PostgreSQL reads and writes these lines as they are, so that every engine's rows can be compared with its.

const special = /[\\\b\f\n\r\t\v]/
const allSpecial = /[\\\b\f\n\r\t\v]/g
const letters: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v',
}
const characters = Object.fromEntries(
  Object.entries(letters).map(([character, letter]) => [letter, character]),
)

/** A row as a line, with its end. */
export function encodeRow(row: Row): string {
  let line = encodeValue(row[0] ?? null)
  for (let index = 1; index < row.length; index++) line += `\t${encodeValue(row[index] ?? null)}`
  return `${line}\n`
}

function encodeValue(value: Value): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return special.test(value) ? escaped(value) : value
  return value instanceof Uint8Array ? `\\\\x${Buffer.from(value).toString('hex')}` : String(value)
}

function escaped(text: string): string {
  return text.replaceAll(allSpecial, (character) => `\\${letters[character] ?? character}`)
}

/** The rows of some lines; integers are exact. */
export function decodeLines(lines: Buffer, types: readonly Column['type'][]): Row[] {
  const texts = lines.toString('utf8').split('\n')
  // Behind the last end of a line there is nothing.
  texts.pop()
  return texts.map((line) => line.split('\t').map((text, index) => decodeValue(text, types[index])))
}

function decodeValue(text: string, type: Column['type'] | undefined): Value {
  if (text === '\\N') return null
  if (type === 'bigint') return BigInt(text)
  if (type === 'bytes') return Buffer.from(text.slice(bytesStart.length), 'hex')
  return text.includes('\\') ? unescaped(text) : text
}

const bytesStart = '\\\\x'

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_whole, letter: string) => characters[letter] ?? letter)
}
