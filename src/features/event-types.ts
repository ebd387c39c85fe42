import type { EventTypes } from '../contract/event-type.ts'
import { features } from './features.ts'

const modules = await Promise.all(features.map(({ eventTypes }) => eventTypes?.()))

/** The types of events that the features declare. */
export const eventTypes: EventTypes = Object.assign(
  {},
  ...modules.map((module) => module?.eventTypes),
)
