import type { Context } from '../../context/context.ts'
import type { FileContent } from '../../contract/content.ts'
import { type ExportRequest, exportList } from '../export-list.ts'
import type { PetsFilter } from './contract.ts'
import { petsExport } from './queries.ts'

/** The catalogue as a file. Throws `unavailable`. */
export function exportPets(
  context: Context,
  request: ExportRequest<PetsFilter>,
): Promise<FileContent> {
  return exportList(context, { name: 'pets', scan: petsExport }, request)
}
