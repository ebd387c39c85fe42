import { parseInstant } from '../contract/instant.ts'
import type * as Type from '../contract/type.ts'
import { isId, isJsonList, isText, isWithin } from './damaged-row.ts'
import type { Column, Value } from './db.ts'
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
  items?: { type?: string }
}

const asStored = { read: (value: Value) => value, write: (value: unknown) => value as Value }

/** How a member of this schema is stored: an instant in milliseconds since 1970, a list as JSON. */
export function storedAs(schema: Type.TSchema): Stored {
  const { type, format, enum: values, minimum = 0, maximum = 0, items } = schema as Shape
  if (values) return { type: 'text', isSound: (value) => values.includes(value), ...asStored }
  if (format === 'int64') {
    const isSound = minimum === 1 ? isId : (value: unknown) => typeof value === 'bigint'
    return { type: 'bigint', isSound, ...asStored }
  }
  if (format === 'date-time') {
    const read = (ms: Value) => isoOf(ms as bigint)
    const write = (text: unknown) => parseInstant(text as string) as number
    return { type: 'bigint', isSound: isInstant, read, write }
  }
  if (type === 'integer') {
    const [least, most] = [BigInt(minimum), BigInt(maximum)]
    const isSound = (value: unknown) => isWithin(value, least, most)
    return { ...asStored, type: 'bigint', isSound, read: Number }
  }
  if (type !== 'array') return { type: 'text', isSound: isText, ...asStored }
  const isItem = items?.type === 'object' ? (item: unknown) => item instanceof Object : isText
  const isSound = (value: unknown) => isJsonList(value, isItem)
  return {
    type: 'text',
    isSound,
    read: (text) => JSON.parse(text as string),
    write: JSON.stringify,
  }
}
