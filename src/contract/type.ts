import type {
  TArray,
  TArrayOptions,
  TBoolean,
  TEnum,
  TInteger,
  TNumber,
  TNumberOptions,
  TObject,
  TObjectOptions,
  TOptional,
  TProperties,
  TSchema,
  TSchemaOptions,
  TString,
  TStringOptions,
  TUnsafe,
} from 'typebox'

// The builders of TypeBox that contracts use, with its types: import them as `* as Type`. They make the same plain JSON
// Schema. TypeBox itself is not loaded: its 373 modules would be a quarter of each start (docs/decisions/0015).

export type { Static, TObject, TProperties, TSchema } from 'typebox'
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

function string(options: TStringOptions = {}): TString {
  return { type: 'string', ...options } as TString
}

function integer(options: TNumberOptions = {}): TInteger {
  return { type: 'integer', ...options } as TInteger
}

function number(options: TNumberOptions = {}): TNumber {
  return { type: 'number', ...options } as TNumber
}

function boolean(options: TSchemaOptions = {}): TBoolean {
  return { type: 'boolean', ...options } as TBoolean
}

function array<Item extends TSchema>(items: Item, options: TArrayOptions = {}): TArray<Item> {
  return { type: 'array', items, ...options } as TArray<Item>
}

/** One of these texts. */
export function Enum<const Value extends string>(
  values: readonly Value[],
  options: TSchemaOptions = {},
): TEnum<Value[]> {
  return { enum: [...values], ...options } as unknown as TEnum<Value[]>
}

/** Requires all members whose schemas are not `Optional`. */
function object<Properties extends TProperties>(
  properties: Properties,
  options: TObjectOptions = {},
): TObject<Properties> {
  const names = Object.entries(properties).filter(([, schema]) => !optional.has(schema))
  const required = names.length > 0 ? { required: names.map(([name]) => name) } : {}
  return { type: 'object', ...required, properties, ...options } as TObject<Properties>
}

/** Requires none of its members. */
function partial<Properties extends TProperties>(
  properties: Properties,
  options?: TObjectOptions,
): TObject<{ [Name in keyof Properties]: TOptional<Properties[Name]> }> {
  const members = Object.entries(properties).map(([name, schema]) => [name, Optional(schema)])
  return object(Object.fromEntries(members), options) as never
}

/** The schema of a member that may be absent. */
export function Optional<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  const copy = { ...schema } as TOptional<Schema>
  optional.add(copy)
  return copy
}

/** This schema, with a type that cannot be derived from it. */
export function Unsafe<Value>(schema: TSchema): TUnsafe<Value> {
  return { ...schema } as TUnsafe<Value>
}
