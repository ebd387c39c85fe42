import { defineOperation } from '../contract/operation.ts'
import workflows from './arazzo.json' with { type: 'json' }
import { documentSchema, getDocumentOperation, implementDocument } from './get-document.ts'

const example = { arazzo: workflows.arazzo }

const getWorkflowsOperation = defineOperation({
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

/** What clients do with several operations, one after the other. */
export const getWorkflows = implementDocument(getWorkflowsOperation, () => workflows)
