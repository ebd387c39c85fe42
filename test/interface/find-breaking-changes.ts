import { isDeepStrictEqual } from 'node:util'

type Json = Record<string, unknown>
export type Schema = Json & {
  $ref?: string
  type?: string
  enum?: unknown[]
  /** In the surface: values that must be accepted, whatever the pattern. */
  examples?: unknown[]
  pattern?: string
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
}
type Parameter = { name: string; in: string; required?: boolean; schema: Schema; $ref?: string }
type Content = Record<string, { schema: Schema }>
export type Operation = Json & {
  security?: unknown
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { $ref?: string; content?: Content }>
}
export type OpenApi = {
  info: { version: string }
  security?: unknown
  servers?: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Json & {
    schemas: Record<string, Schema>
    securitySchemes: Record<string, Json>
  }
}

/** Markings that tell a client how long it may rely on an operation: equal here and in the surface. */
const marks = [
  'operationId',
  'deprecated',
  'x-sunset',
  'x-deprecated-sunset',
  'x-hideTryItPanel',
  'x-stability',
  'x-stability-level',
]

/** What a client written for `surface` could no longer do with `document`, one sentence each. */
export function findBreakingChanges(surface: OpenApi, document: OpenApi): string[] {
  const problems: string[] = []
  const report = (isBroken: boolean, problem: string) => isBroken && problems.push(problem)
  const version = document.info.version
  report(version.split('.')[0] !== surface.info.version.split('.')[0], `the version is ${version}`)
  for (const { url } of document.servers ?? [])
    report(!url.endsWith('/v1'), `${url} does not end in /v1`)

  for (const [path, operations] of Object.entries(surface.paths)) {
    for (const [method, before] of Object.entries(operations)) {
      const where = `${method.toUpperCase()} ${path}`
      const after = document.paths[path]?.[method]
      report(!after, `${where} is gone`)
      if (after) problems.push(...compareOperations(where, before, after))
    }
  }
  return problems

  function compareOperations(where: string, before: Operation, after: Operation): string[] {
    const found: string[] = []
    for (const mark of marks) {
      const isStated = mark !== 'operationId' || before[mark] !== undefined
      if (isStated && before[mark] !== after[mark])
        found.push(`${where}: ${mark} is ${after[mark]} instead of ${before[mark]}`)
    }
    if (!(before.tags ?? []).every((tag) => after.tags?.includes(tag)))
      found.push(`${where} lost a tag`)
    if (!isDeepStrictEqual(securityOf(surface, before), securityOf(document, after)))
      found.push(`${where} is secured otherwise`)
    found.push(...compareParameters(where, before, after), ...compareBodies(where, before, after))
    for (const [status, response] of Object.entries(before.responses)) {
      const declared = after.responses[status]
      if (!declared) found.push(`${where}: the status ${status} is gone`)
      else
        found.push(
          ...compareContents(
            `${where} ${status}`,
            resolve(surface, response).content,
            resolve(document, declared).content,
            compareAnswers,
          ),
        )
    }
    return found
  }

  function compareParameters(where: string, before: Operation, after: Operation): string[] {
    const parameters = (after.parameters ?? []).map((parameter) => resolve(document, parameter))
    const wanted = before.parameters ?? []
    const isSame = (one: Parameter) => (other: Parameter) =>
      one.name === other.name && one.in === other.in
    const missing = wanted.filter((parameter) => !parameters.some(isSame(parameter)))
    const forced = parameters.filter(
      (parameter) => parameter.required && !wanted.find(isSame(parameter))?.required,
    )
    return [
      ...missing.map(({ name }) => `${where}: the parameter ${name} is gone`),
      ...forced.map(({ name }) => `${where}: the parameter ${name} is required now`),
      ...wanted.flatMap((parameter) => {
        const found = parameters.find(isSame(parameter))
        return found
          ? compareRequests(`${where} ${parameter.name}`, parameter.schema, found.schema)
          : []
      }),
    ]
  }

  function compareBodies(where: string, before: Operation, after: Operation): string[] {
    const isForced = !before.requestBody?.required && after.requestBody?.required === true
    return [
      ...(isForced ? [`${where} requires a body now`] : []),
      ...compareContents(
        `${where} body`,
        before.requestBody?.content,
        after.requestBody?.content,
        compareRequests,
      ),
    ]
  }

  function compareContents(
    where: string,
    before: Content = {},
    after: Content = {},
    compare: (where: string, before: Schema, after: Schema) => string[],
  ): string[] {
    return Object.entries(before).flatMap(([type, { schema }]) => {
      const found = after[type]
      return found ? compare(where, schema, found.schema) : [`${where}: ${type} is gone`]
    })
  }

  /** What a client may send: all of it must still be accepted. */
  function compareRequests(where: string, a: Schema, b: Schema): string[] {
    const before = resolve(surface, a)
    const after = resolve(document, b)
    const lost = (before.enum ?? []).filter((value) => after.enum && !after.enum.includes(value))
    const forced = (after.required ?? []).filter((name) => !before.required?.includes(name))
    return [
      ...compareTypes(where, before, after),
      ...lost.map((value) => `${where} does not take ${value} any more`),
      ...(after.enum && !before.enum ? [`${where} takes a few values only`] : []),
      ...forced.map((name) => `${where}: the member ${name} is required now`),
      ...narrowed(where, before, after),
      ...compareMembers(where, before, after, compareRequests),
    ]
  }

  /** What a client reads: nothing new may appear. Strict clients refuse added members and values. */
  function compareAnswers(where: string, a: Schema, b: Schema): string[] {
    const before = resolve(surface, a)
    const after = resolve(document, b)
    const added = Object.keys(after.properties ?? {}).filter((name) => !before.properties?.[name])
    const values = (after.enum ?? []).filter((value) => !before.enum?.includes(value))
    const missing = (before.required ?? []).filter((name) => !after.required?.includes(name))
    const isOpen = before.properties !== undefined && after.additionalProperties !== false
    return [
      ...compareTypes(where, before, after),
      ...added.map((name) => `${where}: the member ${name} was added`),
      ...(isOpen ? [`${where} may have any member`] : []),
      ...(before.enum && !after.enum ? [`${where} may be any value`] : []),
      ...values.map((value) => `${where} may be ${value} now`),
      ...missing.map((name) => `${where}: the member ${name} may be missing now`),
      ...compareMembers(where, before, after, compareAnswers),
    ]
  }

  function compareMembers(
    where: string,
    before: Schema,
    after: Schema,
    compare: (where: string, before: Schema, after: Schema) => string[],
  ): string[] {
    const members = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
      const found = after.properties?.[name]
      return found ? compare(`${where}.${name}`, schema, found) : [`${where}.${name} is gone`]
    })
    const items =
      before.items && after.items ? compare(`${where}[]`, before.items, after.items) : []
    return [...members, ...items]
  }
}

function compareTypes(where: string, before: Schema, after: Schema): string[] {
  const isSame = isDeepStrictEqual([before.type, before.format], [after.type, after.format])
  return isSame || isWidthAdded(before, after)
    ? []
    : [`${where} is ${after.type} ${after.format} now`]
}

const int32Max = 2 ** 31 - 1

/** An integer whose range fits into 32 bits, named `int32`, is the same integer. */
function isWidthAdded(before: Schema, after: Schema): boolean {
  const isNamed = before.format === undefined && after.format === 'int32'
  const isHeld = ({ minimum = -Infinity, maximum = Infinity }: Schema) =>
    Number(minimum) >= -int32Max && Number(maximum) <= int32Max
  return before.type === 'integer' && after.type === 'integer' && isNamed && isHeld(after)
}

function narrowed(where: string, before: Schema, after: Schema): string[] {
  const pattern = new RegExp(after.pattern ?? '', 'u')
  const examples = (before.examples ?? []).filter((example) => !pattern.test(String(example)))
  const isRaised = (name: string) =>
    Number(after[name] ?? -Infinity) > Number(before[name] ?? -Infinity)
  const isLowered = (name: string) =>
    Number(after[name] ?? Infinity) < Number(before[name] ?? Infinity)
  const names = [
    ...['minimum', 'minLength', 'minItems'].filter(isRaised),
    ...['maximum', 'maxLength', 'maxItems'].filter(isLowered),
    ...(after.default === before.default ? [] : ['default']),
  ]
  return [
    ...names.map((name) => `${where}: ${name} is ${after[name]} instead of ${before[name]}`),
    ...examples.map((example) => `${where} does not take ${JSON.stringify(example)} any more`),
  ]
}

/** How an operation is secured, down to the scheme. */
function securityOf({ security, components }: OpenApi, operation: Operation): unknown {
  const required = (operation.security ?? security ?? []) as Record<string, unknown>[]
  return required.map((schemes) =>
    Object.keys(schemes).map((name) => {
      const { type, scheme } = components.securitySchemes[name] ?? {}
      return [type, scheme]
    }),
  )
}

/** What a reference leads to. */
export function resolve<T extends { $ref?: string }>(root: OpenApi, value: T): T {
  if (value.$ref === undefined) return value
  const parts = value.$ref.slice(2).split('/')
  return resolve(root, parts.reduce((part: unknown, name) => (part as Json)[name], root) as T)
}
