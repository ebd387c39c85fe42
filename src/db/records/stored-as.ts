import { parseInstant } from '../../contract/instant.ts'
import { rulesOf } from '../../contract/member.ts'
import { linesPattern } from '../../contract/text-rules.ts'
import * as Type from '../../contract/type.ts'
import type { Column, Value } from '../db.ts'
import { isId, isJsonList, isLines, isText, isWithin } from './damaged-row.ts'
import { isInstant, isoOf } from './instants.ts'

/** How a member is stored. */
type Stored = {
  type: Column['type']
  /** Whether the service may have written the value. */
  isSound(value: unknown): boolean
  read(value: Value): unknown
  write(value: unknown): Value
}

type Shape = {
  type?: string
  format?: string
  enum?: readonly unknown[]
  minimum?: number
  maximum?: number
  pattern?: string
  items?: { type?: string }
}

/** The schema of a member that clients never see. */
export const storedBytes = Type.Unsafe<Uint8Array>({ format: 'bytes' })

const asStored = { read: (value: Value) => value, write: (value: unknown) => value as Value }

/** How a member of this schema is stored: an instant in milliseconds since 1970, a list as JSON or as words. */
export function storedAs(schema: Type.TSchema): Stored {
  const { type, format, enum: values, minimum = 0, maximum = 0, pattern, items } = schema as Shape
  if (format === 'bytes')
    return { type: 'bytes', isSound: (value) => value instanceof Uint8Array, ...asStored }
  if (rulesOf(schema).isWords) {
    const read = (text: Value) => (text as string).split(' ')
    return { type: 'text', isSound: isText, read, write: (list) => (list as string[]).join(' ') }
  }
  if (type === 'boolean') {
    const isSound = (value: unknown) => isWithin(value, 0n, 1n)
    return { type: 'bigint', isSound, read: (value) => value === 1n, write: Number }
  }
  if (values) return { type: 'text', isSound: (value) => values.includes(value), ...asStored }
  if (format === 'int64') {
    const isSound = minimum === 1 ? isId : (value: unknown) => typeof value === 'bigint'
    return { type: 'bigint', isSound, ...asStored }
  }
  if (format === 'date-time') {
    const read = (ms: Value) => isoOf(ms as bigint)
    // A clock may have passed the year 9999, up to which clients send instants.
    const write = (text: unknown) => parseInstant(text as string) ?? Date.parse(text as string)
    return { type: 'bigint', isSound: isInstant, read, write }
  }
  if (type === 'integer') {
    const [least, most] = [BigInt(minimum), BigInt(maximum)]
    const isSound = (value: unknown) => isWithin(value, least, most)
    return { ...asStored, type: 'bigint', isSound, read: Number }
  }
  if (type !== 'array')
    return { type: 'text', isSound: pattern === linesPattern ? isLines : isText, ...asStored }
  const isItem = items?.type === 'object' ? (item: unknown) => item instanceof Object : isText
  const isSound = (value: unknown) => isJsonList(value, isItem)
  return {
    type: 'text',
    isSound,
    read: (text) => JSON.parse(text as string),
    write: JSON.stringify,
  }
}
