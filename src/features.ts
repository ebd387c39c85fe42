import { categoriesFeature } from './categories/feature.ts'
import { inventoryFeature } from './inventory/feature.ts'
import { ordersFeature } from './orders/feature.ts'
import { petsFeature } from './pets/feature.ts'

/** Everything the service can do, one line for each feature. */
export const features = [
  ...petsFeature,
  ...categoriesFeature,
  ...ordersFeature,
  ...inventoryFeature,
]
