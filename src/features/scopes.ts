import { features } from './features.ts'

const modules = await Promise.all(features.map(({ scopes }) => scopes?.()))

/** The scopes that the features declare. A key has all of them by default. */
export const scopes = modules.flatMap((module) => [...(module?.scopes ?? [])])

export type DeclaredScope = (typeof scopes)[number]
