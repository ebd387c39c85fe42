import { type ColumnDef, createColumnHelper, tableFeatures } from '@tanstack/react-table'
import type { Identified, Row } from './record-window.ts'

/** Filters and order are the service's: the table itself needs none. */
export const features = tableFeatures({})

export type Columns<T extends Identified> = ColumnDef<typeof features, Row<T>, unknown>[]

/** Defines the columns of a table of records; each has an `id`, which style sheets name as `data-column`. */
export function columnsOf<T extends Identified>() {
  return createColumnHelper<typeof features, Row<T>>()
}
