import type { Int64 } from '../../../client/src/index.ts'

export type AddingVerb = 'Add' | 'Create' | 'Place'

/** Such as `Add a pet`. */
export function addingLabel(verb: AddingVerb, kind: string): string {
  return `${verb} ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
}

/** Such as `Pet 5 was added.` */
export function addedSentence(verb: AddingVerb, kind: string, id: Int64): string {
  return `${recordName(kind, id)} was ${verb.toLowerCase().replace(/e?$/, 'ed')}.`
}

/** Such as `Pet 5`, at the beginning of a sentence. */
export function recordName(kind: string, id: Int64): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${id}`
}
