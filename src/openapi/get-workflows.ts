import { defineOperation } from '../contract/operation.ts'
import { documentSchema, getDocumentOperation } from './get-document.ts'

const example = { arazzo: '1.0.1' }

export const getWorkflowsOperation = defineOperation({
  ...getDocumentOperation,
  operationId: 'getWorkflows',
  path: '/arazzo.json',
  client: 'service.getWorkflows',
  summary: 'Get the workflows',
  description:
    'Returns an Arazzo 1.0 document: how operations are used together, step by step, for programs that run it.',
  item: documentSchema('ArazzoDocument', 'Arazzo', example),
  examples: { name: 'success', summary: 'The workflows.', response: example },
})
