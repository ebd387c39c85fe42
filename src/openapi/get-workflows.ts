import { defineOperation } from '../contract/operation.ts'
import { documentSchema, getDocumentOperation, implementDocument } from './get-document.ts'

const example = { arazzo: '1.0.1' }

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
export const getWorkflows = implementDocument(getWorkflowsOperation, async () => {
  const { default: workflows } = await import('./arazzo.json', { with: { type: 'json' } })
  return workflows
})
