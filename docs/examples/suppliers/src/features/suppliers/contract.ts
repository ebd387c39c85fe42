import { defineRecord } from '../../contract/record.ts'
import { operationsOn } from '../../contract/record-operations.ts'
import { assignedId, idsFilter, text } from '../../contract/schemas.ts'
import * as Type from '../../contract/type.ts'

const reptiles = { id: 1, name: 'Reptiles & Sons' }
const added = { name: reptiles.name }
const change = { name: 'Reptiles Ltd' }

export const supplier = defineRecord({
  noun: 'supplier',
  members: {
    id: assignedId(reptiles.id),
    name: text({ max: 200, description: 'The name of the supplier.', examples: [reptiles.name] }),
  },
  examples: { record: reptiles, new: added, changes: [change] },
})

const filter = Type.Partial({ id: idsFilter('suppliers') })
const suppliers = operationsOn({
  ...supplier.kind,
  tag: {
    name: 'suppliers',
    displayName: 'Suppliers',
    description: 'Those who deliver to the store.',
  },
  lifecycle: { stability: 'beta' },
  read: 'suppliers:read',
  write: 'suppliers:write',
  taggedBy: 'id',
})
const example = { name: 'reptiles', summary: 'A supplier of reptiles' }
export const list = suppliers.list({
  query: filter,
  examples: { ...example, query: { id: [reptiles.id] }, response: [reptiles] },
})
export const get = suppliers.get({ exampleId: 1, examples: { ...example, response: reptiles } })
export const create = suppliers.create({
  examples: { ...example, body: added, response: reptiles },
})
export const update = suppliers.update({
  exampleId: 1,
  examples: { ...example, body: change, response: { ...reptiles, ...change } },
})
