import { oneByOne } from '../../db/db.ts'
import { rowsOf } from '../../db/lists/steps.ts'
import { defineCheck, findingOf, type RecordName } from '../../db/storage.ts'
import { digestOf } from './digest.ts'
import { deleteFiles, selectBytes, selectStrayFiles } from './queries.ts'

/** Checks each file by its digest: it is what was stored. */
export const photosCheck = defineCheck({
  name: 'photoFiles',
  promise: 'each photo has the file that was stored',
  async *find(sql, checkTime) {
    const table = { table: 'photos', columns: ['id', 'digest', 'size_bytes'] }
    for await (const rows of rowsOf<[bigint, string, bigint]>(sql, table, checkTime)) {
      for (const [id, digest, sizeBytes] of rows) {
        checkTime()
        // One at a time: they are large.
        const bytes = await selectBytes(sql, id)
        const found = bytes && digestOf(bytes)
        if (found === digest && BigInt(bytes?.length ?? 0) === sizeBytes) continue
        const what = bytes ? 'is not the one that was stored' : 'is missing'
        yield findingOf('photos', id, `The file of the photo of pet ${id} ${what}.`)
      }
    }
    for (const id of await selectStrayFiles(sql))
      yield findingOf('photo_files', id, `File ${id} belongs to no photo.`, 'delete it')
  },
  repair: oneByOne<RecordName, null>({
    name: 'deleteStrayFile',
    async run(tx, { id }) {
      const stray = await selectStrayFiles(tx)
      if (stray.includes(BigInt(id))) await deleteFiles(tx, [BigInt(id)])
      return null
    },
  }),
})
