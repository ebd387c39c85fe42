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

const interfaceVersion = '1.0.0'

const statusIs = (status: number) => ({ condition: `$statusCode == ${status}` })
const orderId = { name: 'orderId', value: '$steps.orderPet.outputs.orderId' }

/** An event of the response, in order. */
const eventIs = (type: string, index: number) => ({
  condition: `$response.body#/${index}/type == '${type}'`,
})

const sellPet = {
  workflowId: 'sellPet',
  summary: 'Add a pet, sell it, and read what happened',
  description:
    'Adds a pet, orders it, ships and delivers the order, then reads the events of the order. The last step fails unless the log has all three, in their order.',
  inputs: {
    type: 'object',
    required: ['apiKey'],
    properties: {
      apiKey: {
        type: 'string',
        format: 'password',
        description: 'An API key with the scopes `pets:write`, `orders:read` and `orders:write`.',
      },
    },
  },
  parameters: [{ name: 'Authorization', in: 'header', value: 'Bearer {$inputs.apiKey}' }],
  steps: [
    {
      stepId: 'addPet',
      description: 'Add a pet that can be ordered.',
      operationId: 'createPet',
      requestBody: {
        contentType: 'application/json',
        payload: { name: 'Sunny', categoryId: 2, status: 'available' },
      },
      successCriteria: [statusIs(201), { condition: "$response.body#/status == 'available'" }],
      outputs: { petId: '$response.body#/id' },
    },
    {
      stepId: 'orderPet',
      description: 'Order the pet, which is held from now on.',
      operationId: 'createOrder',
      requestBody: {
        contentType: 'application/json',
        payload: { petId: '$steps.addPet.outputs.petId' },
      },
      successCriteria: [statusIs(201), { condition: "$response.body#/status == 'pending'" }],
      outputs: { orderId: '$response.body#/id' },
    },
    {
      stepId: 'shipOrder',
      description: 'Ship the order.',
      operationId: 'shipOrder',
      parameters: [{ ...orderId, in: 'path' }],
      successCriteria: [statusIs(200), { condition: "$response.body#/status == 'shipped'" }],
    },
    {
      stepId: 'deliverOrder',
      description: 'Deliver the order.',
      operationId: 'deliverOrder',
      parameters: [{ ...orderId, in: 'path' }],
      successCriteria: [statusIs(200), { condition: '$response.body#/complete == true' }],
    },
    {
      stepId: 'readEvents',
      description: 'Read the events of the order.',
      operationId: 'listEvents',
      parameters: [{ ...orderId, in: 'query' }],
      successCriteria: [
        statusIs(200),
        ...['order.placed', 'order.shipped', 'order.delivered'].map(eventIs),
      ],
      outputs: { events: '$response.body' },
    },
  ],
  outputs: {
    petId: '$steps.addPet.outputs.petId',
    orderId: '$steps.orderPet.outputs.orderId',
    events: '$steps.readEvents.outputs.events',
  },
}

/** Assembles the Arazzo 1.0 document: what clients do with several operations, one after the other. */
export function assembleWorkflows(): Record<string, unknown> {
  return {
    ...example,
    info: {
      title: 'Workflows of the Pet Store Service',
      version: interfaceVersion,
      summary: 'How operations are used together.',
      description:
        'Each workflow makes the records that it needs, so it succeeds in an empty store and in any other.',
    },
    // Beside this document, wherever that is served.
    sourceDescriptions: [{ name: 'petstore', url: './openapi.json', type: 'openapi' }],
    workflows: [sellPet],
  }
}
