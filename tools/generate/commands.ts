import type { Group } from '../../src/cli/arguments/define-command.ts'
import {
  argumentsOf,
  type TableEntry,
  type TableOption,
  type ValueType,
} from '../../src/cli/operations/table.ts'
import { quoted } from '../../src/cli/text/quoted.ts'
import type { Operation } from '../../src/contract/operation.ts'
import type { ClientOperation, Document } from './client-operations.ts'
import { nameOf, type Schema } from './client-types.ts'

type Table = Record<string, Record<string, TableEntry>>

/** Decided by the command: `--limit` counts records, and pages follow each other by themselves. */
const ofPaging = ['limit', 'cursor']

/** Options of commands over HTTP whatever their operation: a member with such a name has the record in front of it. */
const reserved = 'url profile data all yes json ndjson csv columns quiet'.split(' ')

/** The commands that follow from the operations, by their two words. */
export function commandTable(document: Document, operations: readonly ClientOperation[]): Table {
  const { schemas } = document.components
  const table: Table = {}
  for (const operation of operations) {
    const { namespace, name, own } = operation
    const words = own.command ?? `${namespace.split('.').at(-1)} ${kebab(name)}`
    const [group = '', verb = ''] = words.split(' ')
    table[group] = { ...table[group], [verb]: entryOf([group, verb], operation, schemas) }
  }
  return table
}

function entryOf(
  words: string[],
  operation: ClientOperation,
  schemas: Record<string, Schema>,
): TableEntry {
  const { datum, own, kind, parameters, query, body, files, isUpload, result } = operation
  const bodySchema = body && resolve(body, schemas)
  const record = words[0]?.replace(/s$/, '') ?? ''
  const options = Object.fromEntries([
    ...query
      .filter(({ name }) => !ofPaging.includes(name))
      .flatMap(({ name, schema, description }) =>
        optionsOf('query', name, { schema, description, record, schemas }),
      ),
    ...Object.entries(bodySchema?.properties ?? {}).flatMap(([name, schema]) =>
      optionsOf('body', name, {
        schema,
        record,
        schemas,
        isRequired: bodySchema?.required?.includes(name),
      }),
    ),
  ])
  const item = kind === 'list' || kind === 'stream' ? result?.items : result
  return {
    operation: datum,
    kind,
    summary: operation.summary,
    description: operation.description.replaceAll('`', ''),
    ids: parameters.map((name) => (parameters.length === 1 ? 'ID' : kebab(name).toUpperCase())),
    ...(files.length > 0 ? { files } : {}),
    ...(isUpload ? { isUpload } : {}),
    options,
    columns:
      item === undefined || kind === 'file' || kind === 'blob'
        ? {}
        : {
            ...columnsOf(item, schemas),
            ...((own.hasEntityTag || own.entityTagFilter) && { etag: 'tag' }),
          },
    ...(operation.takesIfMatch ? { takesIfMatch: true } : {}),
    examples: [
      [
        [
          ...['petstore', ...words, ...(files.length > 0 ? [`${words[0]}.csv`] : [])],
          ...exampleOf(own, kind, options),
          ...(isUpload ? ['sunny.png'] : []),
          ...(kind === 'blob' ? ['> sunny.png'] : []),
        ].join(' '),
        own.examples.summary,
      ],
    ],
  }
}

type Described = {
  schema: Schema
  description?: string
  record: string
  schemas: Record<string, Schema>
  isRequired?: boolean | undefined
}

/** The option of a parameter or a member; a member that may be null has another one, which sets it so. */
function optionsOf(
  place: TableOption['in'],
  name: string,
  { schema: member, description, record, schemas, isRequired }: Described,
): [string, TableOption][] {
  const schema = resolve(member, schemas)
  const isRepeated = schema.type === 'array'
  const { type, enum: values } = resolve(isRepeated ? (schema.items ?? {}) : schema, schemas)
  const sentence = briefOf(description ?? member.description ?? schema.description ?? name, values)
  const brief = `${sentence}${isRepeated ? '; repeat it for several' : ''}${isRequired ? ' (required)' : ''}`
  const option = reserved.includes(name) ? `${record}-${kebab(name)}` : kebab(name)
  const target = { name, in: place }
  if (place === 'query' && type === 'boolean') {
    return [[option, { kind: 'flag', brief, sets: true, ...target }]]
  }
  const found: [string, TableOption] = [
    option,
    {
      kind: isRepeated ? 'values' : 'value',
      placeholder: placeholderOf(name, valueTypeOf(type)),
      brief,
      type: valueTypeOf(type),
      ...(values && { values }),
      ...target,
      ...(isRequired && { isRequired }),
    },
  ]
  if (!member.anyOf?.some((one) => one.type === 'null')) return [found]
  const toNull = { kind: 'flag', brief: `set ${name} to null`, sets: null, ...target } as const
  return [found, [`no-${option}`, toNull]]
}

/** A schema without its reference, and without the `null` that is one of its alternatives. */
function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  if (schema.$ref !== undefined) return resolve(schemas[nameOf(schema.$ref)] ?? {}, schemas)
  const given = schema.anyOf?.find(({ type }) => type !== 'null')
  return given === undefined ? schema : resolve(given, schemas)
}

function placeholderOf(name: string, type: ValueType): string {
  if (type === 'integer') return /id$/i.test(name) ? 'ID' : 'N'
  return type === 'json' ? 'JSON' : 'TEXT'
}

function valueTypeOf(type: string | undefined): ValueType {
  if (type === 'integer' || type === 'boolean') return type
  return type === 'string' ? 'text' : 'json'
}

/** The first sentence of a description, as the pages of `--help` have it. */
function briefOf(description: string, values: readonly string[] | undefined): string {
  const [sentence = ''] = description.replaceAll('`', '').split(/[.:;](?:\s|$)/)
  const brief = sentence.charAt(0).toLowerCase() + sentence.slice(1)
  return values === undefined ? brief : `${brief}: ${values.join(', ')}`
}

/** The members of a record, in order; of alternatives those of all. */
function columnsOf(schema: Schema, schemas: Record<string, Schema>): TableEntry['columns'] {
  const resolved = resolve(schema, schemas)
  if (resolved.oneOf) {
    return Object.assign({}, ...resolved.oneOf.map((one) => columnsOf(one, schemas)))
  }
  const members = Object.entries(resolved.properties ?? {})
  return Object.fromEntries(
    members.map(([name, member]) => {
      const { type, format } = resolve(member, schemas)
      if (format === 'date-time') return [name, 'instant']
      const isNested = type === 'object' || type === undefined
      return [name, type === 'integer' ? 'integer' : isNested ? 'nested' : 'text']
    }),
  )
}

/** The words of the example request behind the name of its command. */
function exampleOf(
  { pathParameters = [], examples, alternative }: Operation,
  kind: TableEntry['kind'],
  options: Record<string, TableOption>,
): string[] {
  const shown = kind === 'stream' ? { ...examples, ...alternative?.examples } : examples
  const given = { ...shown.query, ...(Object(shown.body) as Record<string, unknown>) }
  const words = Object.entries(given).flatMap(([name, value]) => {
    if (name === 'limit') return ['--limit', String(value)]
    const [option] = Object.entries(options).find(([, one]) => one.name === name) ?? []
    if (option === undefined) return []
    if (value === null) return [`--no-${option}`]
    if (options[option]?.kind === 'flag') return value ? [`--${option}`] : []
    return [value]
      .flat()
      .flatMap((one) => [
        `--${option}`,
        quoted(Object(one) === one ? JSON.stringify(one) : String(one)),
      ])
  })
  return [...pathParameters.map(({ example }) => String(example)), ...words]
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** A document with these rows, the first of which is the head, between its comments that begin with this word. */
export function withTable(text: string, word: string, rows: readonly (readonly string[])[]) {
  const [head = [], ...others] = rows
  const lines = [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`)
  const place = new RegExp(`(?<=^<!-- ${word}.*-->\\n)[\\s\\S]*?(?=^<!-- end -->$)`, 'm')
  return text.replace(place, () => `\n${lines.join('\n')}\n\n`)
}

/** The guide to the commands on a store with its table of them and their options. */
export function storeCommandGuide(root: Group, guide: string): string {
  return withTable(guide, 'commands', [['command, option', 'what it does'], ...rowsOf(root)])
}

function rowsOf({ commands }: Group, before = 'petstore'): string[][] {
  return Object.entries(commands).flatMap(([name, target]) => {
    const words = `${before} ${name}`
    if ('commands' in target) return rowsOf(target, words)
    const { description, usage, options } = target
    const [sentence = ''] = description.split(/\.(?: |$)/)
    const own = Object.entries(options).filter(([option]) => option !== 'environment')
    const rows = own.map(([option, { brief, ...more }]) => {
      const placeholder = 'placeholder' in more ? ` ${more.placeholder}` : ''
      return [`\`--${option}${placeholder}\``, brief]
    })
    return [[`**\`${`${words} ${usage}`.replace(' [OPTIONS]', '')}\`**`, sentence], ...rows]
  })
}

/** The guide to the commands over HTTP with its table of them. */
export function commandGuide(table: Table, guide: string): string {
  const rows = Object.entries(table).flatMap(([group, verbs]) =>
    Object.entries(verbs).map(([verb, { summary, options, ...entry }]) => {
      const names = Object.keys(options).map((name) => `\`--${name}\``)
      return [`\`${[group, verb, ...argumentsOf(entry)].join(' ')}\``, summary, names.join(' ')]
    }),
  )
  return withTable(guide, 'commands', [['command', 'what it does', 'options of its own'], ...rows])
}
