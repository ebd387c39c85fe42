/** A schema of the OpenAPI document, as far as types follow from it. */
export type Schema = {
  $ref?: string
  type?: string
  format?: string
  enum?: readonly string[]
  const?: string | boolean
  description?: string
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: boolean
}

/** The TypeScript type of a schema. Members that a client sends may be given as `undefined`; absent they count as well. */
export function typeOf(schema: Schema, isInput: boolean): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (typeof schema.const === 'boolean') return String(schema.const)
  if (schema.const !== undefined) return `'${schema.const}'`
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ')
  const parts = schema.anyOf ?? schema.oneOf
  if (parts !== undefined) return parts.map((one) => typeOf(one, isInput)).join(' | ')
  switch (schema.type) {
    case 'null':
      return 'null'
    case 'string':
      return 'string'
    case 'boolean':
      return 'boolean'
    case 'integer':
    case 'number':
      return schema.format === 'int64' ? 'Int64' : 'number'
    case 'array':
      return `${isInput ? 'readonly ' : ''}${itemOf(typeOf(schema.items ?? {}, isInput))}[]`
    case 'object':
      return objectOf(schema, isInput)
    default:
      throw new Error(`The client has no type for the schema ${JSON.stringify(schema)}.`)
  }
}

function itemOf(type: string): string {
  return /^[\w.]+$/.test(type) ? type : `(${type})`
}

function objectOf(schema: Schema, isInput: boolean): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const members = Object.entries(properties).map(([name, member]) => {
    const isRequired = required.includes(name)
    const type = typeOf(member, isInput)
    const taken = isInput && !isRequired ? `${type} | undefined` : type
    // What may be null is described by its other alternative.
    const description = member.description ?? member.anyOf?.[0]?.description
    return `${commentOf(description, '  ')}  ${name}${isRequired ? '' : '?'}: ${taken}\n`
  })
  const isOpen = additionalProperties === true
  return `{\n${members.join('')}${isOpen ? '  [member: string]: unknown\n' : ''}}`
}

/** The names of the schemas that a schema refers to itself. */
export function refersTo(schema: Schema | undefined): Set<string> {
  const names = new Set<string>()
  JSON.stringify(schema ?? {}, (key, value) => {
    if (key === '$ref') names.add(nameOf(value))
    return key === 'examples' || key === 'example' ? undefined : value
  })
  return names
}

/** The name of the component that a reference leads to. */
export function nameOf(ref: string): string {
  return ref.split('/').at(-1) ?? ref
}

/** A doc comment, or nothing. */
export function commentOf(text: string | undefined, indent = '', deprecation?: string): string {
  const lines = [
    ...(text === undefined ? [] : text.split('\n')),
    ...(deprecation === undefined ? [] : [`@deprecated ${deprecation}`]),
  ].map((line) => line.replaceAll('*/', '*\\/'))
  if (lines.length === 0) return ''
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  const body = lines.map((line) => `${indent} * ${line}`.trimEnd())
  return `${indent}/**\n${body.join('\n')}\n${indent} */\n`
}
