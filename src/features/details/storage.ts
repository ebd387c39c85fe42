import { ownersCheck } from '../../db/checks/owners.ts'
import { readableCheck } from '../../db/checks/readable.ts'
import { wordStorage } from '../../db/schema/word-storage.ts'
import { combineStorage, defineStorage } from '../../db/storage.ts'
import { detailsList, detailsTable, detailsTags } from './queries.ts'
import { detailsWrites } from './write-details.ts'

const details = defineStorage({
  tables: [{ name: 'details', ...detailsTable.declared }],
  writes: [detailsWrites.replace, detailsWrites.delete],
  scans: [detailsList.search, detailsList.count],
  checks: [
    readableCheck('details', 'the details of pets can be read', [detailsTable]),
    ownersCheck(detailsTable, { name: 'detailsPets', noun: 'details', owner: 'pet' }),
  ],
})

export const storage = combineStorage([
  details,
  wordStorage(detailsTags, { name: 'tags', promise: 'details are found by their tags' }),
])
