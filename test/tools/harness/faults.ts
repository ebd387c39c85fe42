import type { Fault } from './tool.ts'

/** Each pet that is sent alone has a status of null where it has none. */
const nullStatus: Fault = {
  fault: 'a service that sends a status of null',
  distort(answer, { path }) {
    if (!/^\/v1\/pets(?:\/\d+)?$/.test(path) || !answer.body.startsWith('{"id":')) return
    answer.body = JSON.stringify({ status: null, ...JSON.parse(answer.body) })
  },
  expected: /status: null|"path": \[\s+"status"/,
}

/** Names as they were described until everybody's tools read them. */
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

/** What every client has to notice. */
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

/** What a client whose types are generated has to notice. */
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
