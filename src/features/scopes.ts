import { features } from './features.ts'

const modules = await Promise.all(features.map(({ scopes }) => scopes?.()))

/** The scopes that the features declare. */
export const scopes = modules.flatMap((module) => [...(module?.scopes ?? [])])

export type DeclaredScope = (typeof scopes)[number]
