import type * as Box from 'typebox'

// The builders of TypeBox that contracts use, with its types: import them as `* as Type`. They make the same plain JSON
// Schema. TypeBox itself is not loaded: its 373 modules would be a quarter of each start (docs/decisions/0015).

export type { Static, TObject, TOptional, TProperties, TSchema, TUnsafe } from 'typebox'
export {
  array as Array,
  boolean as Boolean,
  integer as Integer,
  number as Number,
  object as Object,
  partial as Partial,
  string as String,
}

/** The schemas that `Optional` returned. */
const optional = new WeakSet<object>()

/** Builds the schemas of a type without parts. */
const builderOf =
  <Schema, Options>(type: string) =>
  (options?: Options): Schema =>
    ({ type, ...options }) as unknown as Schema

const string = builderOf<Box.TString, Box.TStringOptions>('string')
const integer = builderOf<Box.TInteger, Box.TNumberOptions>('integer')
const number = builderOf<Box.TNumber, Box.TNumberOptions>('number')
const boolean = builderOf<Box.TBoolean, Box.TSchemaOptions>('boolean')

function array<Item extends Box.TSchema>(
  items: Item,
  options: Box.TArrayOptions = {},
): Box.TArray<Item> {
  return { type: 'array', items, ...options } as Box.TArray<Item>
}

/** Requires all members whose schemas are not `Optional`. */
function object<Properties extends Box.TProperties>(
  properties: Properties,
  options: Box.TObjectOptions = {},
): Box.TObject<Properties> {
  const names = Object.entries(properties).filter(([, schema]) => !optional.has(schema))
  const required = names.length > 0 ? { required: names.map(([name]) => name) } : {}
  return { type: 'object', ...required, properties, ...options } as Box.TObject<Properties>
}

/** Requires none of its members. */
function partial<Properties extends Box.TProperties>(
  properties: Properties,
  options?: Box.TObjectOptions,
): Box.TObject<{ [Name in keyof Properties]: Box.TOptional<Properties[Name]> }> {
  const members = Object.entries(properties).map(([name, schema]) => [name, Optional(schema)])
  return object(Object.fromEntries(members), options) as never
}

/** The schema of a member that may be absent. */
export function Optional<Schema extends Box.TSchema>(schema: Schema): Box.TOptional<Schema> {
  const copy = { ...schema } as Box.TOptional<Schema>
  optional.add(copy)
  return copy
}

/** Whether a member may be absent. */
export function isOptional(schema: Box.TSchema): boolean {
  return optional.has(schema)
}

/** This schema, with a type that cannot be derived from it. */
export function Unsafe<Value>(schema: Box.TSchema): Box.TUnsafe<Value> {
  return { ...schema } as Box.TUnsafe<Value>
}
