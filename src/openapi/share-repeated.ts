import type { ErrorCode } from '../contract/error-codes.ts'
import { inPascalCase } from '../contract/list-words.ts'
import { codesOfKeys } from './error-responses.ts'

type Json = Record<string, unknown>
type Kind = 'responses' | 'parameters' | 'examples' | 'schemas'

/** A part of a document that may become a component: `holder[key]`, what it would be called, and where it stands. */
type Part = { holder: Json; key: string; name: string; owner: string }

type Media = { schema?: { $ref?: string }; examples?: Json }
type Response = { content?: Record<string, Media>; 'x-error-codes'?: ErrorCode[] }
type Operation = {
  operationId: string
  parameters: Json[]
  requestBody?: Response
  responses: Record<string, Response>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: Record<Kind, Json> & {
    responses: Record<string, Response>
    schemas: Record<string, { properties?: Record<string, Json> }>
  }
  'x-any-path': Record<string, Response>
}

/** Shorter parts are read where they stand. Short members are equal by chance. */
const sharedSizeMin = { responses: 100, parameters: 100, examples: 100, schemas: 125 }

/** The document as it is published: responses, parameters, examples and members that stand in several places become components. */
export function shareRepeated(assembled: Json): Json {
  const document = structuredClone(assembled) as Document
  const { components } = document
  // Examples are those of what is left of the responses.
  for (const kind of ['responses', 'parameters', 'examples', 'schemas'] as const) {
    const found = share(kind, partsOf[kind](document), components[kind])
    Object.assign(components, { [kind]: { ...components[kind], ...found } })
  }
  return document
}

/** The new components of a kind; each part that is one of them becomes a reference. */
function share(kind: Kind, parts: Part[], known: Json = {}): Json {
  const found: Json = {}
  const isFree = (name: string) => !(name in known || name in found)
  const inline = parts.filter(({ holder, key }) => !('$ref' in Object(holder[key])))
  const byText = Map.groupBy(inline, ({ holder, key }) => JSON.stringify(holder[key]))
  for (const [text, equal] of byText) {
    if (equal.length === 1 || text.length < sharedSizeMin[kind]) continue
    const [first] = equal.toSorted((a, b) => a.name.length - b.name.length) as [Part]
    const name = [first.name, `${first.name}Of${first.owner}`].find(isFree)
    if (name === undefined) continue
    found[name] = first.holder[first.key]
    for (const { holder, key } of equal) holder[key] = { $ref: `#/components/${kind}/${name}` }
  }
  return found
}

const operationsOf = ({ paths }: Document) =>
  Object.values(paths).flatMap((methods) => Object.values(methods))

const partsOf: Record<Kind, (document: Document) => Part[]> = {
  responses: (document) => [
    ...operationsOf(document).flatMap(({ operationId, responses }) =>
      Object.entries(responses).map(([status, response]) => ({
        holder: responses,
        key: status,
        name: nameOf(status, response, inPascalCase(operationId)),
        owner: inPascalCase(operationId),
      })),
    ),
    ...Object.entries(document['x-any-path']).map(([status, response]) => ({
      holder: document['x-any-path'],
      key: status,
      name: nameOf(status, response, 'AnyPath'),
      owner: 'AnyPath',
    })),
  ],
  parameters: (document) =>
    operationsOf(document).flatMap(({ operationId, parameters }) =>
      parameters.map((parameter, index) => ({
        holder: parameters as unknown as Json,
        key: String(index),
        name: inPascalCase(String(parameter.name)),
        owner: inPascalCase(operationId),
      })),
    ),
  examples: (document) => {
    const bodies = [
      ...operationsOf(document).flatMap(({ requestBody, responses }) => [
        ...(requestBody ? [requestBody] : []),
        ...Object.values(responses),
      ]),
      ...Object.values(document.components.responses),
    ]
    return bodies
      .flatMap(({ content = {} }) => Object.entries(content))
      .flatMap(([type, { schema, examples = {} }]) =>
        Object.keys(examples).map((key) => ({
          holder: examples,
          key,
          name: key,
          owner: schema?.$ref?.split('/').at(-1) ?? type.replace('/', '-'),
        })),
      )
  },
  schemas: ({ components: { schemas } }) =>
    Object.entries(schemas).flatMap(([owner, { properties = {} }]) =>
      Object.entries(properties).map(([member, { anyOf }]) => ({
        holder: (anyOf as Json | undefined) ?? properties,
        key: anyOf ? '0' : member,
        name: owner + inPascalCase(member),
        owner,
      })),
    ),
}

/** Names for generated code; other lists of codes are named by their codes. */
const names: Record<string, readonly ErrorCode[]> = {
  BadRequest: ['invalid_request'],
  InvalidParameters: ['invalid_request', 'invalid_parameter'],
  InvalidListParameters: ['invalid_request', 'invalid_parameter', 'invalid_cursor'],
  InvalidBody: ['invalid_request', 'invalid_parameter', 'invalid_json', 'invalid_body'],
  Unauthorized: codesOfKeys,
  Forbidden: ['insufficient_scope'],
}

const bodilessNames: Record<string, string> = { 204: 'NoContent', 304: 'NotModified' }

/** The name of a response: that of its codes, else of its status, and of its operation. */
function nameOf(status: string, response: Response, owner: string): string {
  const { 'x-error-codes': codes } = response
  if (!codes) return bodilessNames[status] ?? `${owner}${status}`
  const known = Object.entries(names).find(([, listed]) => String(listed) === String(codes))
  return known?.[0] ?? codes.map((code) => inPascalCase(code)).join('Or')
}
