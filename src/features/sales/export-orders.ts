import type { Context } from '../../context/context.ts'
import type { FileContent } from '../../contract/content.ts'
import { type ExportRequest, exportList } from '../export-list.ts'
import type { OrdersFilter } from './contract/orders.ts'
import { ordersExport } from './queries.ts'

/** The orders as a file. Throws `unavailable`. */
export function exportOrders(
  context: Context,
  request: ExportRequest<OrdersFilter>,
): Promise<FileContent> {
  return exportList(context, { name: 'orders', scan: ordersExport }, request)
}
