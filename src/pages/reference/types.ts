import { type Html, html } from '../html.ts'
import type { Schema } from './model.ts'

const numbers = new Intl.NumberFormat('en')

/** Marks what must be sent. */
export const requiredMark = html` <span class="required">required</span>`

/** A text whose words in backticks are code. */
export function inline(text: string): Html {
  const parts = text.split('`')
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

/** What a value is and what it may be, such as "integer, 1 to 100, default 20". */
export function describeType(schema: Schema, schemas: Record<string, Schema>): Html {
  const name = nameOf(schema)
  const target = resolve(schema, schemas)
  const limits = limitsOf({ ...target, ...schema })
  const kind =
    name !== undefined && target.enum === undefined
      ? html`<a href="#schema-${name}">${name}</a>`
      : kindOf(target, schemas)
  return html`${kind}${limits.map((limit) => html`, ${limit}`)}`
}

/** The name of the schema that this one refers to. */
function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1)
}

/** The schema that this one refers to, or itself. */
export function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  return schemas[nameOf(schema) ?? ''] ?? schema
}

function kindOf(schema: Schema, schemas: Record<string, Schema>): Html {
  const parts = schema.anyOf ?? schema.oneOf
  if (parts) {
    return html`${parts.map(
      (one, index) => html`${index > 0 && ' or '}${describeType(one, schemas)}`,
    )}`
  }
  if (schema.enum) return html`${oneOf(schema.enum)}`
  if (schema.const !== undefined) return html`always <code>${String(schema.const)}</code>`
  if (schema.type === 'array') return html`array of ${describeType(schema.items ?? {}, schemas)}`
  if (schema.type === 'integer') return html`${schema.format === 'int64' ? '64-bit ' : ''}integer`
  return html`${schema.format === 'date-time' ? 'instant (RFC 3339)' : (schema.type ?? 'any JSON')}`
}

function oneOf(values: readonly unknown[]): Html {
  return html`${values.map((value, index) => {
    const separator = index === 0 ? '' : index === values.length - 1 ? ' or ' : ', '
    return html`${separator}<code>${String(value)}</code>`
  })}`
}

function limitsOf(schema: Schema): (string | Html)[] {
  const { minimum, maximum, minLength, maxLength, maxItems, default: byDefault } = schema
  return [
    range(minimum, maximum, ''),
    range(
      minLength,
      schema.enum || schema.const !== undefined ? undefined : maxLength,
      ' characters',
    ),
    range(undefined, maxItems, ' values'),
    byDefault === undefined ? undefined : html`default <code>${String(byDefault)}</code>`,
  ].filter((limit) => limit !== undefined)
}

function range(least: number | undefined, most: number | undefined, unit: string) {
  if (least !== undefined && most !== undefined) {
    return `${numbers.format(least)} to ${numbers.format(most)}${unit}`
  }
  if (least !== undefined) return `at least ${numbers.format(least)}${unit}`
  if (most !== undefined) return `at most ${numbers.format(most)}${unit}`
  return undefined
}

/** The members of an object, or of the objects of an array. */
export function membersOf(schema: Schema, schemas: Record<string, Schema>): Html | undefined {
  const target = resolve(schema, schemas)
  if (target.type === 'array' && target.items) return membersOf(target.items, schemas)
  if (target.oneOf) return html`<p>One of ${kindOf(target, schemas)}.</p>`
  if (!target.properties) return undefined
  const required = new Set(target.required)
  const row = ([member, part]: [string, Schema]) => html`<div>
<dt><code>${member}</code> <span class="type">${describeType(part, schemas)}</span>${required.has(member) && requiredMark}</dt>
<dd>${inline(part.description ?? part.anyOf?.[0]?.description ?? '')}</dd>
</div>
`
  return html`<dl class="members">
${Object.entries(target.properties).map(row)}</dl>`
}
