import { features } from '../features/features.ts'

const modules = await Promise.all(features.map(({ operations }) => operations?.()))

/** All operations, in the order of the features. */
export const operations = modules.flatMap((module) => module?.operations ?? [])
