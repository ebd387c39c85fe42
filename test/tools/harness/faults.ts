import type { Fault } from './tool.ts'

/** Each pet that is sent alone and has no status gets a status of null. */
const nullStatus: Fault = {
  fault: 'a service that sends a status of null',
  distort(answer, { path }) {
    if (!/^\/v1\/pets(?:\/\d+)?$/.test(path) || !answer.body.startsWith('{"id":')) return
    answer.body = JSON.stringify({ status: null, ...JSON.parse(answer.body) })
  },
  expected: /status: null|"path": \[\s+"status"/,
}

/** Names as they were described before every tool could read them. */
export const propertyEscapes: Fault = {
  fault: 'a pattern with \\p{…}, which means other letters without the u flag',
  edit({ components }) {
    const { name } = components.schemas.NewPet.properties
    name.pattern = '^[\\p{Z}\\ufeff]*[^\\s\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*$'
  },
  expected: /\\p\{Z\}/,
}

export const requiredQuantity: Fault = {
  fault: 'a document in which every order names its quantity',
  edit({ components }) {
    components.schemas.NewOrder.required.push('quantity')
  },
  expected: /quantity/,
}

/** Faults that every client must detect. */
export const clientFaults: Fault[] = [
  nullStatus,
  {
    fault: 'an error whose status is not that of the answer',
    distort: (answer) => {
      answer.body = answer.body.replace(/"status":404\}$/, '"status":400}')
    },
    expected: /400 !== 404/,
  },
  {
    fault: 'a document without an operation that the service has',
    edit: ({ paths }) => {
      delete paths['/store/orders/{orderId}/ship']
    },
    expected: /ship/,
  },
]

/** Faults that a client with generated types must detect. */
export const typedClientFaults: Fault[] = [
  ...clientFaults,
  {
    fault: 'a document in which a name is a number',
    edit: ({ components }) => {
      components.schemas.Pet.properties.name = { type: 'integer' }
    },
    expected: /name/,
  },
  requiredQuantity,
]
