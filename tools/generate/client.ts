import { errorCodes } from '../../src/contract/error-codes.ts'
import { inPascalCase } from '../../src/contract/list-words.ts'
import { scopes } from '../../src/features/scopes.ts'
import type { ClientOperation, Document } from './client-operations.ts'
import { commentOf, refersTo, type Schema, typeOf } from './client-types.ts'
import { withTable } from './commands.ts'

const origin = '// Made from the contract by tools/generate.ts.\n'

/** The modules of the client that follow from the contract, by path: records, namespaces, error codes, base addresses. */
export function clientModules(
  document: Document,
  operations: readonly ClientOperation[],
): [path: string, text: string][] {
  const namespaces = Map.groupBy(operations, ({ namespace }) => namespace)
  const names = [...namespaces.keys()]
  const modules = [
    ['records', recordsOf(document, operations)],
    ['error-codes', errorCodesOf()],
    ['scopes', scopesOf()],
    ['base-urls', baseUrlsOf(document)],
    ['resources', resourcesOf(names.filter((name) => !name.includes('.')))],
    ...[...namespaces].map(([name, members]) => [
      fileOf(name),
      namespaceOf(name, members, partsOf(name, names)),
    ]),
  ]
  return modules.map(([name, text]) => [`${name}.ts`, `${origin}\n${text}`])
}

/** The namespaces within one: `details` of `pets.details`. */
function partsOf(namespace: string, all: readonly string[]): string[] {
  const within = all.filter((name) => name.startsWith(`${namespace}.`))
  return within.map((name) => name.slice(namespace.length + 1))
}

/** The README of the client with its table of methods. */
export function clientReadme(operations: readonly ClientOperation[], readme: string): string {
  const namespaces = Map.groupBy(operations, ({ namespace }) => namespace)
  const rows = [...namespaces].map(([namespace, members]) => {
    const names = members.map(
      ({ name, removedOn }) => `\`${name}\`${removedOn ? ' (deprecated)' : ''}`,
    )
    return [`\`client.${namespace}\``, names.join(' ')]
  })
  return withTable(readme, 'methods', [['namespace', 'methods'], ...rows])
}

/** Every schema that an operation of the client sends or receives, and those within them. */
function recordsOf({ components: { schemas } }: Document, operations: readonly ClientOperation[]) {
  const names = new Set<string>()
  const visit = (schema: Schema | undefined) => {
    for (const name of refersTo(schema)) {
      if (names.has(name)) continue
      names.add(name)
      visit(schemas[name])
    }
  }
  for (const { body, result, query } of operations) {
    visit(body)
    visit(result)
    for (const { schema } of query) visit(schema)
  }
  const records = [...names].sort().map((name) => {
    const schema = schemas[name] as Schema
    const isInput = operations.some(({ body }) => body?.$ref?.endsWith(`/${name}`))
    const comment = commentOf(schema.description)
    return `${comment}export type ${name} = ${typeOf(schema, isInput)}\n`
  })
  const queries = operations
    .filter(({ kind, query }) => kind !== 'stream' && query.length > 0)
    .map(queryTypeOf)
  return `import type { Int64 } from '../operation.ts'\n\n${[...records, ...queries].join('\n')}`
}

function errorCodesOf(): string {
  const codes = Object.entries(errorCodes).map(
    ([code, { status, title }]) => `  /** ${status}: ${title}. */\n  ${code}: ${status}\n`,
  )
  return `type StatusOfCode = {\n${codes.join('')}}\n\n/** The error codes of the service: a closed list. */\nexport type ErrorCode = keyof StatusOfCode\n`
}

function scopesOf(): string {
  const names = scopes.map((name) => `  '${name}',\n`).join('')
  return `/** What keys may do. */\nexport const scopes = [\n${names}] as const\n\nexport type Scope = (typeof scopes)[number]\n`
}

function baseUrlsOf({ servers: [production, staging] }: Document): string {
  return `/** Where a store on this machine is. */
export const baseUrls = {
  production: '${production?.url}',
  staging: '${staging?.url}',
}
`
}

function resourcesOf(namespaces: readonly string[]): string {
  const imports = namespaces.map((name) => `import { ${inPascalCase(name)} } from './${name}.ts'\n`)
  const members = namespaces.map((name) => `  readonly ${name}: ${inPascalCase(name)}\n`)
  const made = namespaces.map((name) => `    this.${name} = new ${inPascalCase(name)}(transport)\n`)
  return `import type { Transport } from '../transport.ts'
${imports.join('')}
export class Resources {
${members.join('')}
  constructor(transport: Transport) {
${made.join('')}  }
}
`
}

function namespaceOf(
  namespace: string,
  operations: ClientOperation[],
  parts: readonly string[],
): string {
  const partOf = (name: string) => `${namespace}.${name}`
  const code = [
    ...operations.filter(({ kind }) => kind !== 'stream').map(constantOf),
    `export class ${inPascalCase(namespace)} {
${parts.map((name) => `  readonly ${name}: ${inPascalCase(partOf(name))}\n`).join('')}  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
${parts.map((name) => `    this.${name} = new ${inPascalCase(partOf(name))}(transport)\n`).join('')}  }

${operations.map(methodOf).join('\n')}}
`,
  ].join('\n')
  const importOf = (path: string, names: readonly string[], kind = 'import type') => {
    const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code))
    return used.length === 0 ? '' : `${kind} { ${used.join(', ')} } from '${path}'\n`
  }
  const records = operations.flatMap(({ id, body, result }) => [
    ...refersTo(body),
    ...refersTo(result),
    queryNameOf(id),
  ])
  const imports = [
    ...parts.map((name) =>
      importOf(`./${fileOf(partOf(name))}.ts`, [inPascalCase(partOf(name))], 'import'),
    ),
    importOf('../call.ts', ['Call']),
    importOf('../list.ts', ['List'], 'import'),
    importOf('../follow.ts', ['FollowOptions']),
    importOf('../import.ts', ['ImportOptions'], 'import type'),
    importOf('../import.ts', ['importInParts'], 'import'),
    importOf('../operation.ts', [...new Set(code.match(ofOperations))].sort()),
    importOf('../transport.ts', ['Transport']),
    importOf('./records.ts', [...new Set(records)].sort()),
  ]
  return `${imports.join('')}\n${code}`
}

/** Types of `operation.ts`. */
const ofOperations = /\b(?!Follow|Import)(?:\w+Options|FileBody|Int64|Operation)\b/g

function constantOf({ id, datum }: ClientOperation): string {
  const members = Object.entries(datum).map(
    ([name, value]) => `  ${name}: ${typeof value === 'string' ? `'${value}'` : value},\n`,
  )
  return `const ${id}: Operation = {\n${members.join('')}}\n`
}

function queryTypeOf({ id, query }: ClientOperation): string {
  const members = query.map(({ name, description, schema }) => {
    const type = typeOf(schema, true)
    const item = schema.items && typeOf(schema.items, true)
    const taken = item === undefined ? type : `${item} | readonly ${item}[]`
    return `${commentOf(description, '  ')}  ${name}?: ${taken} | undefined\n`
  })
  return `export type ${queryNameOf(id)} = {\n${members.join('')}}\n`
}

function methodOf(operation: ClientOperation): string {
  const { id, kind, body, files, isUpload, result, query, removedOn, advice = '' } = operation
  const comment = commentOf(
    `${operation.summary}.\n\n${operation.description}`,
    '  ',
    removedOn && `It will be removed on ${removedOn}. ${advice}`.trim(),
  )
  const type = resultTypeOf(operation)
  if (kind === 'stream')
    return followOf(operation, comment, typeOf(itemOf(result as Schema), false))
  const options = optionsOf(operation)
  const parameters = [
    ...operation.parameters.map((name) => `${name}: Int64`),
    ...(body === undefined ? [] : [`body: ${typeOf(body, true)}`]),
    ...(files.length === 0 ? [] : ['file: FileBody']),
    ...(isUpload ? ['file: Blob'] : []),
    ...(query.length === 0 ? [] : [`query: ${queryNameOf(id)} = {}`]),
  ]
  const signature = (rest: string, answer: string) =>
    `  ${operation.name}(${[...parameters, rest].join(', ')}): ${answer}`
  const input = [
    ...(operation.parameters.length === 0 ? [] : [`ids: [${operation.parameters.join(', ')}]`]),
    ...(body === undefined ? [] : ['body']),
    ...(files.length === 0 && !isUpload ? [] : ['file']),
    ...(query.length === 0 ? [] : ['query']),
  ]
  if (kind === 'list') {
    return `${comment}${signature(`options: ${options} = {}`, `List<${type}>`)} {
    return new List(this.#transport, ${id}, { ${input.join(', ')} }, options)
  }
`
  }
  const isConditional = operation.takesIfNoneMatch && !operation.takesIfMatch && kind !== 'file'
  const overloads = isConditional
    ? [
        signature(`options: ${options} & { ifNoneMatch: string }`, `Call<${type} | undefined>`),
        signature(`options?: ${options}`, `Call<${type}>`),
        '',
      ].join('\n')
    : ''
  return `${comment}${overloads}${signature(`options: ${options} = {}`, `Call<${type}>`)} {
    return ${files.length > 0 ? 'importInParts(this.#transport, ' : 'this.#transport.call('}${id}, { ${input.join(', ')} }, options)
  }
`.replace('{  }', '{}')
}

function resultTypeOf({ kind, result }: ClientOperation): string {
  if (kind === 'file') return 'Response'
  if (kind === 'blob') return 'Blob'
  return result === undefined ? 'void' : typeOf(kind === 'list' ? itemOf(result) : result, false)
}

function followOf({ name, id, query }: ClientOperation, comment: string, type: string): string {
  const filters = query.flatMap(({ name }) => (name === 'after' ? [] : [`'${name}'`])).join(' | ')
  const options = `Pick<${queryNameOf(id)}, ${filters}> & FollowOptions`
  return `${comment}  ${name}(options: ${options} = {}): AsyncGenerator<${type}, never, undefined> {
    return this.#transport.follow(${id}, options)
  }
`
}

function optionsOf(operation: ClientOperation): string {
  const { kind, isKeyed, takesIfMatch, takesIfNoneMatch, files } = operation
  if (kind === 'list') return 'ListOptions'
  if (kind === 'file') return 'ExportOptions'
  if (files.length > 0) return 'ImportOptions'
  if (isKeyed) return 'CreateOptions'
  if (takesIfMatch) return takesIfNoneMatch ? 'ReplaceOptions' : 'ChangeOptions'
  return takesIfNoneMatch ? 'ReadOptions' : 'RequestOptions'
}

/** The schema of one record of a page is that of the page's items. */
function itemOf(result: Schema): Schema {
  if (result.items === undefined) throw new Error('A page is an array of records.')
  return result.items
}

function queryNameOf(id: string): string {
  return `${inPascalCase(id)}Query`
}

function fileOf(namespace: string): string {
  return namespace.replaceAll('.', '-')
}
