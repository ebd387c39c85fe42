import { usualEvents } from '../../contract/event-type.ts'
import { supplier } from './contract.ts'

const change = { after: { name: 'Reptiles & Sons' }, before: { name: 'Reptiles' } }
export const eventTypes = usualEvents(supplier, 'suppliers:read', change, 'beta')
