import { exportList } from '../export-list.ts'
import { ordersExport } from './queries.ts'

/** The orders as a file. Throws `unavailable`. */
export const exportOrders = exportList('orders', ordersExport)
