import { isDeepStrictEqual } from 'node:util'

type Json = Record<string, unknown>
export type Schema = Json & {
  $ref?: string
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  discriminator?: { mapping: Record<string, string> }
  /** In the surface: values that must be accepted, whatever the pattern. */
  examples?: unknown[]
  pattern?: string
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
}
type Compare = (where: string, before: Schema, after: Schema) => string[]
type Parameter = { name: string; in: string; required?: boolean; schema: Schema; $ref?: string }
type Content = Record<string, { schema: Schema }>
export type Operation = Json & {
  security?: unknown
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, Response>
}
export type Response = {
  $ref?: string
  content?: Content
  headers?: Record<string, { $ref?: string; schema: Schema }>
  'x-error-codes'?: string[]
}
export type OpenApi = {
  info: { version: string }
  security?: unknown
  servers?: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  'x-any-response'?: Response
  components: Json & {
    schemas: Record<string, Schema>
    securitySchemes: Record<string, Json>
  }
}

/** Marks that keep their value once they have it. */
const marks = ['operationId', 'deprecated', 'x-sunset', 'x-deprecated-sunset', 'x-hideTryItPanel']

/** Whether clients may rely on an operation, or on a kind of record. One without a level is stable. */
function isStable(described: Json): boolean {
  return (described['x-stability-level'] ?? 'stable') === 'stable' && !described['x-stability']
}

/** What a client that uses the stable operations of `surface` could no longer do with `document`, one sentence each. */
export function findBreakingChanges(surface: OpenApi, document: OpenApi): string[] {
  const problems: string[] = []
  const report = (isBroken: boolean, problem: string) => isBroken && problems.push(problem)
  const version = document.info.version
  report(version.split('.')[0] !== surface.info.version.split('.')[0], `the version is ${version}`)
  for (const { url } of document.servers ?? [])
    report(!url.endsWith('/v1'), `${url} does not end in /v1`)

  for (const [path, operations] of Object.entries(surface.paths)) {
    for (const [method, before] of Object.entries(operations)) {
      if (!isStable(before)) continue
      const where = `${method.toUpperCase()} ${path}`
      const after = document.paths[path]?.[method]
      report(!after, `${where} is gone`)
      if (after) problems.push(...compareOperations(where, before, after))
    }
  }
  return problems

  function compareOperations(where: string, before: Operation, after: Operation): string[] {
    const found: string[] = []
    if (!isStable(after)) found.push(`${where} is not stable any more`)
    for (const mark of marks) {
      if (before[mark] !== undefined && before[mark] !== after[mark])
        found.push(`${where}: ${mark} is ${after[mark]} instead of ${before[mark]}`)
    }
    if (!(before.tags ?? []).every((tag) => after.tags?.includes(tag)))
      found.push(`${where} lost a tag`)
    if (!isDeepStrictEqual(securityOf(surface, before), securityOf(document, after)))
      found.push(`${where} is secured otherwise`)
    found.push(...compareParameters(where, before, after), ...compareBodies(where, before, after))
    for (const [status, response] of Object.entries(before.responses)) {
      const declared = after.responses[status]
      if (declared) found.push(...compareResponses(`${where} ${status}`, response, declared))
      else found.push(`${where}: the status ${status} is gone`)
    }
    return found
  }

  function compareResponses(where: string, a: Response, b: Response): string[] {
    const before = resolve(surface, a)
    const after = resolve(document, b)
    const codes = after['x-error-codes'] ?? []
    const lost = (before['x-error-codes'] ?? []).filter((code) => !codes.includes(code))
    const headers = Object.entries(before.headers ?? {}).flatMap(([name, header]) => {
      const found = after.headers?.[name] ?? document['x-any-response']?.headers?.[name]
      const { schema } = resolve(surface, header)
      return found
        ? compareAnswers(`${where} ${name}`, schema, resolve(document, found).schema)
        : [`${where}: the header ${name} is gone`]
    })
    return [
      ...lost.map((code) => `${where}: the code ${code} is gone`),
      ...headers,
      ...compareContents(where, before.content, after.content, compareAnswers),
    ]
  }

  function compareParameters(where: string, before: Operation, after: Operation): string[] {
    const parameters = (after.parameters ?? []).map((parameter) => resolve(document, parameter))
    const wanted = (before.parameters ?? []).map((parameter) => resolve(surface, parameter))
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
    compare: Compare,
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
    const values = valuesOf(after)
    const lost = (valuesOf(before) ?? []).filter((value) => values && !values.includes(value))
    const forced = (after.required ?? []).filter((name) => !before.required?.includes(name))
    const isClosed = after.additionalProperties === false && before.additionalProperties !== false
    return [
      ...compareTypes(where, a, b, before, after),
      ...lost.map((value) => `${where} does not take ${value} any more`),
      ...(values && !valuesOf(before) ? [`${where} takes a few values only`] : []),
      ...forced.map((name) => `${where}: the member ${name} is required now`),
      ...(isClosed ? [`${where} takes no unknown members any more`] : []),
      ...narrowed(before, after).map((name) => `${where}: ${name} is ${after[name]} now`),
      ...comparePatterns(where, before, after),
      ...compareParts(where, before, after, compareRequests),
    ]
  }

  /**
   * What a client reads: nothing that a strict client refuses. Members may be added where the schema leaves the record
   * open; `Pet` and `Error` are closed.
   */
  function compareAnswers(where: string, a: Schema, b: Schema): string[] {
    const before = resolve(surface, a)
    const after = resolve(document, b)
    const added = Object.keys(after.properties ?? {}).filter((name) => !before.properties?.[name])
    const known = valuesOf(before)
    const values = (valuesOf(after) ?? []).filter((value) => !known?.includes(value))
    const missing = (before.required ?? []).filter((name) => !after.required?.includes(name))
    const isClosed = before.additionalProperties === false
    const alternatives = (after.anyOf ?? []).slice(before.anyOf?.length ?? 0)
    return [
      ...compareTypes(where, a, b, before, after),
      ...(isClosed ? added : []).map((name) => `${where}: the member ${name} was added`),
      ...(isClosed && after.additionalProperties !== false ? [`${where} may have any member`] : []),
      ...(known && !valuesOf(after) ? [`${where} may be any value`] : []),
      ...(known ? values : []).map((value) => `${where} may be ${value} now`),
      ...missing.map((name) => `${where}: the member ${name} may be missing now`),
      ...alternatives.map(() => `${where} has a new alternative`),
      // What is read is widened where the same change would narrow what is sent.
      ...narrowed(after, before).map((name) => `${where}: ${name} is ${after[name]} now`),
      ...compareParts(where, before, after, compareAnswers),
    ]
  }

  function compareParts(where: string, before: Schema, after: Schema, compare: Compare): string[] {
    const members = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
      const found = after.properties?.[name]
      return found ? compare(`${where}.${name}`, schema, found) : [`${where}.${name} is gone`]
    })
    const items =
      before.items && after.items ? compare(`${where}[]`, before.items, after.items) : []
    const alternatives = (before.anyOf ?? []).flatMap((one, index) => {
      const found = after.anyOf?.[index]
      return found ? compare(where, one, found) : [`${where}: an alternative is gone`]
    })
    return [...members, ...items, ...alternatives, ...compareKinds(where, before, after, compare)]
  }

  /** The kinds of record that a discriminator tells apart: all stay, others may be added, and those that are beta may change. */
  function compareKinds(where: string, before: Schema, after: Schema, compare: Compare): string[] {
    return Object.entries(before.discriminator?.mapping ?? {}).flatMap(([kind, $ref]) => {
      const found = after.discriminator?.mapping[kind]
      if (!found) return [`${where}: ${kind} is gone`]
      if (!isStable(resolve<Schema>(surface, { $ref }))) return []
      if (!isStable(resolve<Schema>(document, { $ref: found }))) return [`${kind} is not stable`]
      return compare(`${where} ${kind}`, { $ref }, { $ref: found })
    })
  }
}

/** Types, and the names that generated code has for them. */
function compareTypes(where: string, a: Schema, b: Schema, before: Schema, after: Schema) {
  const isSame = isDeepStrictEqual([before.type, before.format], [after.type, after.format])
  return [
    ...(isSame || isWidthAdded(before, after)
      ? []
      : [`${where} is ${after.type} ${after.format} now`]),
    ...(a.$ref && a.$ref !== b.$ref ? [`${where} is ${b.$ref} instead of ${a.$ref}`] : []),
  ]
}

function valuesOf({ enum: values, const: value }: Schema): unknown[] | undefined {
  return value === undefined ? values : [value]
}

const int32Max = 2 ** 31 - 1

/** An integer whose range fits into 32 bits, named `int32`, is the same integer. */
function isWidthAdded(before: Schema, after: Schema): boolean {
  const isNamed = before.format === undefined && after.format === 'int32'
  const isHeld = ({ minimum = -Infinity, maximum = Infinity }: Schema) =>
    Number(minimum) >= -int32Max && Number(maximum) <= int32Max
  return before.type === 'integer' && after.type === 'integer' && isNamed && isHeld(after)
}

/** The limits by which `after` takes less than `before`. */
function narrowed(before: Schema, after: Schema): string[] {
  const isRaised = (name: string) =>
    Number(after[name] ?? -Infinity) > Number(before[name] ?? -Infinity)
  const isLowered = (name: string) =>
    Number(after[name] ?? Infinity) < Number(before[name] ?? Infinity)
  return [
    ...['minimum', 'minLength', 'minItems'].filter(isRaised),
    ...['maximum', 'maxLength', 'maxItems'].filter(isLowered),
    ...(after.default === before.default ? [] : ['default']),
  ]
}

/** A pattern takes the examples. Another one in place of one is too hard to judge. */
function comparePatterns(where: string, before: Schema, after: Schema): string[] {
  const pattern = new RegExp(after.pattern ?? '', 'u')
  const examples = (before.examples ?? []).filter(
    (example) => after.pattern && !pattern.test(String(example)),
  )
  const isOther = after.pattern !== undefined && after.pattern !== before.pattern
  const isHeld = before.pattern === undefined && before.examples !== undefined
  return [
    ...examples.map((example) => `${where} does not take ${JSON.stringify(example)} any more`),
    ...(isOther && !isHeld ? [`${where} has another pattern`] : []),
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
