import { exportList } from '../export-list.ts'
import { petsExport } from './queries.ts'

/** The catalogue as a file. Throws `unavailable`. */
export const exportPets = exportList('pets', petsExport)
