import { ordersFeature } from './orders/feature.ts'
import { petsFeature } from './pets/feature.ts'

/** Everything the service can do, one line for each feature. */
export const features = [...petsFeature, ...ordersFeature]
