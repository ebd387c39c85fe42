import { features } from './features.ts'

const modules = await Promise.all(features.map(({ operations }) => operations?.()))

/** All that the service serves, in the order of its features. */
export const operations = modules.flatMap((module) => module?.operations ?? [])
