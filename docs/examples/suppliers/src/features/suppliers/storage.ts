import { queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import { defineTable } from '../../db/records/records.ts'
import { defineStorage } from '../../db/storage.ts'
import { writesOf } from '../record-writes.ts'
import { supplier } from './contract.ts'

const suppliers = defineTable(supplier.plural, supplier.Item)
export const { insert, update } = writesOf(supplier, suppliers)
export const select = queryById(suppliers)
export const list = listStatements('suppliers', {
  ...suppliers,
  conditionsOf: ({ id }: { id?: bigint[] }) =>
    id === undefined ? [] : [{ column: 'id', anyOf: id }],
})

export const storage = defineStorage({
  tables: [{ name: 'suppliers', ...suppliers.declared }],
  writes: [insert, update],
  scans: [list.search, list.count],
})
