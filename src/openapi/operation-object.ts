import { type BodyContent, contentOf, formBytesMax, type Operation } from '../contract/operation.ts'
import { parametersOf } from './parameters.ts'
import { responsesOf } from './responses.ts'
import type { Schemas } from './schemas.ts'

/** `x-stability` is of GitBook and has no value for stable; `x-stability-level` is of oasdiff and has both. */
export const stabilityMarks = {
  beta: { 'x-stability': 'beta', 'x-stability-level': 'beta' },
  stable: { 'x-stability-level': 'stable' },
} as const

/** The OpenAPI object of an operation. */
export function operationObject(operation: Operation, schemas: Schemas): Record<string, unknown> {
  const { operationId, tag, summary, description } = operation
  return {
    operationId,
    tags: [tag.name],
    summary,
    description,
    ...lifecycleOf(operation),
    ...(operation.scope === 'public' ? { security: [] } : {}),
    parameters: parametersOf(operation, schemas),
    ...requestBodyOf(operation, schemas),
    responses: responsesOf(operation, schemas),
  }
}

function requestBodyOf(
  { body, isStrict, examples: { name, summary, body: value } }: Operation,
  schemas: Schemas,
) {
  if (body === undefined) return {}
  const content = contentOf(body)
  const { mediaTypes, sizeMaxBytes, schema, isOptional } = content
  const mediaOf = (type: string) => {
    // Of files there is one for each type.
    const example = schema === undefined ? (value as Record<string, unknown>)?.[type] : value
    return {
      ...(schema === undefined ? bytesOf(content) : { schema: schemas.refer(schema) }),
      ...(example === undefined ? {} : { examples: { [name]: { summary, value: example } } }),
    }
  }
  const unknown = isStrict ? ' Unknown members are refused.' : ''
  const size = `At most ${sizeMaxBytes.toLocaleString('en-GB')} bytes`
  return {
    requestBody: {
      required: isOptional !== true,
      description: schema === undefined ? `${size}.` : `${size} of JSON in UTF-8.${unknown}`,
      content: Object.fromEntries(mediaTypes.map((type) => [type, mediaOf(type)])),
    },
  }
}

const binary = (maxLength: number) => ({ type: 'string', format: 'binary', maxLength })

/** What the document says of bytes that are received whole, and of a form with one file. */
function bytesOf({ isUpload, part, sizeMaxBytes }: BodyContent): object {
  if (!isUpload) return {}
  if (!part) return { schema: binary(sizeMaxBytes) }
  const schema = binary(sizeMaxBytes - formBytesMax)
  const { name, mediaTypes } = part
  return {
    schema: { type: 'object', required: [name], properties: { [name]: schema } },
    encoding: { [name]: { contentType: mediaTypes.join(', ') } },
  }
}

function lifecycleOf({ lifecycle: { stability, deprecation, tryItPanel } }: Operation) {
  const removedOn = deprecation?.removedAt.slice(0, 10)
  return {
    ...(deprecation
      ? { deprecated: true, 'x-deprecated-sunset': removedOn, 'x-sunset': removedOn }
      : {}),
    ...(stability ? stabilityMarks[stability] : {}),
    ...(tryItPanel === false ? { 'x-hideTryItPanel': true } : {}),
  }
}
