import { defineOperation } from '../contract/operation.ts'
import * as Type from '../contract/type.ts'
import { getDocumentOperation } from './get-document.ts'

const example = { arazzo: '1.0.1' }

const ArazzoDocument = Type.Object(
  {
    arazzo: Type.String({
      maxLength: 20,
      description: 'The version of Arazzo.',
      examples: [example.arazzo],
    }),
  },
  {
    $id: 'ArazzoDocument',
    description: 'An Arazzo document.',
    additionalProperties: true,
    examples: [example],
  },
)

export const getWorkflowsOperation = defineOperation({
  ...getDocumentOperation,
  operationId: 'getWorkflows',
  path: '/arazzo.json',
  client: 'service.getWorkflows',
  summary: 'Get the workflows',
  description:
    'Returns an Arazzo 1.0 document: how operations are used together, step by step, for programs that run it.',
  item: ArazzoDocument,
  examples: { name: 'success', summary: 'The workflows.', response: example },
})
