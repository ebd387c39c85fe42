import type { ExportPetsQuery, Int64 } from '../../../client/src/index.ts'
import { client } from '../api/client.ts'
import { saveFile } from '../shared/save-file.ts'
import { showOutcome } from '../shared/toasts.ts'

/** The most ids that a list takes. */
const idsMax = 100

/** Saves pets as a spreadsheet: those that match the filters, or those with these ids. */
export function downloadPets(of: ExportPetsQuery | { ids: readonly Int64[] }): void {
  void showOutcome(async () => {
    const parts = 'ids' in of ? await partsOf(of.ids) : [await exported(of)]
    saveFile('pets.csv', new Blob(parts, { type: 'text/csv' }))
    return 'The pets were saved as pets.csv.'
  })
}

async function partsOf(ids: readonly Int64[]): Promise<BlobPart[]> {
  const parts: BlobPart[] = []
  for (let first = 0; first < ids.length; first += idsMax) {
    const part = await exported({ id: ids.slice(first, first + idsMax) })
    // The names of the columns stand in the first part.
    parts.push(first === 0 ? part : (await part.text()).replace(/^[^\n]*\n/, ''))
  }
  return parts
}

async function exported(query: ExportPetsQuery): Promise<Blob> {
  const file = await client.pets.export(query)
  return await file.blob()
}
