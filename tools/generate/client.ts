import { errorCodes } from '../../src/contract/error-codes.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { scopes } from '../../src/features/scopes.ts'
import { type ClientOperation, clientOperationsOf, type Document } from './client-operations.ts'
import { commentOf, refersTo, type Schema, typeOf } from './client-types.ts'

type Module = { path: string; text: string }

const origin = '// Made from the contract by tools/generate.ts.\n'

/** The modules of the client that follow from the contract: records, namespaces, error codes, base addresses. */
export function clientModules(
  document: Document,
  contract: readonly Operation[],
  advice: Advice,
): Module[] {
  const operations = clientOperationsOf(document, contract)
  const namespaces = Map.groupBy(operations, ({ namespace }) => namespace)
  const modules = [
    { name: 'records', text: recordsOf(document, operations) },
    { name: 'error-codes', text: errorCodesOf() },
    { name: 'scopes', text: scopesOf() },
    { name: 'base-urls', text: baseUrlsOf(document) },
    { name: 'resources', text: resourcesOf([...namespaces.keys()]) },
    ...[...namespaces].map(([namespace, members]) => ({
      name: namespace,
      text: namespaceOf(namespace, members, advice),
    })),
  ]
  return modules.map(({ name, text }) => ({ path: `${name}.ts`, text: `${origin}\n${text}` }))
}

const methodsTable = /(?<=^<!-- methods.*-->\n)[\s\S]*?(?=^<!-- end -->$)/m

/** The README of the client with its table of methods. */
export function clientReadme(
  document: Document,
  contract: readonly Operation[],
  readme: string,
): string {
  const namespaces = Map.groupBy(
    clientOperationsOf(document, contract),
    ({ namespace }) => namespace,
  )
  const rows = [...namespaces].map(([namespace, operations]) => {
    const names = operations.map(
      ({ name, removedOn }) => `\`${name}\`${removedOn ? ' (deprecated)' : ''}`,
    )
    return `| \`client.${namespace}\` | ${names.join(' ')} |\n`
  })
  return readme.replace(
    methodsTable,
    `\n| namespace | methods |\n| --- | --- |\n${rows.join('')}\n`,
  )
}

/** What to use in place of each deprecated operation. */
export type Advice = ReadonlyMap<string, string>

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
  const imports = ['../transport.ts', ...namespaces.map((name) => `./${name}.ts`)].map((path) => {
    const name = path.startsWith('..') ? 'Transport' : classOf(path.slice(2, -3))
    return `import ${path.startsWith('..') ? 'type ' : ''}{ ${name} } from '${path}'\n`
  })
  const members = namespaces.map((name) => `  readonly ${name}: ${classOf(name)}\n`)
  const made = namespaces.map((name) => `    this.${name} = new ${classOf(name)}(transport)\n`)
  return `${imports.join('')}
export class Resources {
${members.join('')}
  constructor(transport: Transport) {
${made.join('')}  }
}
`
}

function namespaceOf(namespace: string, operations: ClientOperation[], advice: Advice): string {
  const isLists = operations.some(({ kind }) => kind === 'list')
  const isCalls = operations.some(({ kind }) => ['record', 'nothing', 'file'].includes(kind))
  const code = [
    ...operations
      .filter(({ kind }) => kind !== 'stream')
      .map((operation) => constantOf(operation, advice.get(operation.id))),
    `export class ${classOf(namespace)} {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

${operations.map((operation) => methodOf(operation, advice.get(operation.id))).join('\n')}}
`,
  ].join('\n')
  const named = (names: readonly string[]) =>
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(code)).join(', ')
  const kept = (path: string, names: readonly string[]) =>
    named(names) === '' ? '' : `import type { ${named(names)} } from '${path}'\n`
  const records = operations.flatMap(({ id, body, result }) => [
    ...refersTo(body),
    ...refersTo(result),
    queryNameOf(id),
  ])
  return `${isCalls ? "import type { Call } from '../call.ts'\n" : ''}${
    isLists ? "import { List } from '../list.ts'\n" : ''
  }${kept('../follow.ts', ['FollowOptions'])}${kept('../operation.ts', optionTypes)}import type { Transport } from '../transport.ts'\n${kept(
    './records.ts',
    [...new Set(records)].sort(),
  )}\n${code}`
}

const optionTypes = [
  'ChangeOptions',
  'CreateOptions',
  'ExportOptions',
  'FileBody',
  'FileOptions',
  'Int64',
  'ListOptions',
  'Operation',
  'ReadOptions',
  'RequestOptions',
]

function constantOf(
  { id, method, path, kind, files, isKeyed, isOpen }: ClientOperation,
  advice?: string,
) {
  const members = [
    `id: '${id}'`,
    `method: '${method}'`,
    `path: '${path}'`,
    ...(isKeyed ? ['isKeyed: true'] : []),
    ...(files[0] === undefined ? [] : [`fileType: '${files[0]}'`]),
    ...(isOpen ? ['isOpen: true'] : []),
    ...(kind === 'file' ? ['isFile: true'] : []),
    ...(advice === undefined ? [] : [`advice: ${JSON.stringify(advice)}`]),
  ]
  return `const ${id}: Operation = {\n${members.map((member) => `  ${member},\n`).join('')}}\n`
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

function methodOf(operation: ClientOperation, advice?: string): string {
  const { id, kind, body, files, result, query, removedOn } = operation
  const comment = commentOf(
    `${operation.summary}.\n\n${operation.description}`,
    '  ',
    removedOn && `It will be removed on ${removedOn}. ${advice ?? ''}`.trim(),
  )
  const type = resultTypeOf(operation)
  if (kind === 'stream')
    return followOf(operation, comment, typeOf(itemOf(result as Schema), false))
  const options = optionsOf(operation)
  const parameters = [
    ...operation.parameters.map((name) => `${name}: Int64`),
    ...(body === undefined ? [] : [`body: ${typeOf(body, true)}`]),
    ...(files.length === 0 ? [] : ['file: FileBody']),
    ...(query.length === 0 ? [] : [`query: ${queryNameOf(id)} = {}`]),
  ]
  const signature = (rest: string, answer: string) =>
    `  ${operation.name}(${[...parameters, rest].join(', ')}): ${answer}`
  const input = [
    ...(operation.parameters.length === 0 ? [] : [`ids: [${operation.parameters.join(', ')}]`]),
    ...(body === undefined ? [] : ['body']),
    ...(files.length === 0 ? [] : ['file']),
    ...(query.length === 0 ? [] : ['query']),
  ]
  if (kind === 'list') {
    return `${comment}${signature(`options: ${options} = {}`, `List<${type}>`)} {
    return new List(this.#transport, ${id}, { ${input.join(', ')} }, options)
  }
`
  }
  const isConditional = operation.takesIfNoneMatch && kind !== 'file'
  const overloads = isConditional
    ? [
        signature(`options: ${options} & { ifNoneMatch: string }`, `Call<${type} | undefined>`),
        signature(`options?: ${options}`, `Call<${type}>`),
        '',
      ].join('\n')
    : ''
  return `${comment}${overloads}${signature(`options: ${options} = {}`, `Call<${type}>`)} {
    return this.#transport.call(${id}, { ${input.join(', ')} }, options)
  }
`.replace('{  }', '{}')
}

function resultTypeOf({ kind, result }: ClientOperation): string {
  if (kind === 'file') return 'Response'
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
  if (files.length > 0) {
    return `FileOptions<${files.map((type) => `'${type}'`).join(' | ')}>`
  }
  if (isKeyed) return 'CreateOptions'
  if (takesIfMatch) return 'ChangeOptions'
  return takesIfNoneMatch ? 'ReadOptions' : 'RequestOptions'
}

/** The schema of one record of a page is that of the page's items. */
function itemOf(result: Schema): Schema {
  if (result.items === undefined) throw new Error('A page is an array of records.')
  return result.items
}

function queryNameOf(id: string): string {
  return `${classOf(id)}Query`
}

function classOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
