import { isSame } from '../base/is-same.ts'

type Members = Record<string, unknown>

/** What a new record is given: members without a value are left out. */
export function givenMembers(body: object): Members {
  return pick(body, (_name, value) => (value ?? null) !== null)
}

/** What of a draft, as members of a request, differs from a record; members that cannot be sent do not. */
export function changedMembers(body: object, before: object): Members {
  const known: Members = { ...before }
  return pick(body, (name, value) => value !== undefined && !isSame(value, known[name]))
}

/** Their version of a draft, with what was changed in mine. */
export function mergedDraft<Draft extends object>(
  mine: Draft,
  before: Draft,
  theirs: Draft,
): Draft {
  const known = Object.fromEntries(Object.entries(before))
  return { ...theirs, ...pick(mine, (name, value) => value !== known[name]) }
}

/** Whether a record has all these values; `null` and `undefined` say that it has none. */
export function hasMembers(record: object, members: object): boolean {
  const values: Members = { ...record }
  return Object.entries(members).every(
    ([name, value]) => (values[name] ?? null) === (value ?? null),
  )
}

function pick(members: object, isPicked: (name: string, value: unknown) => boolean): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => isPicked(name, value)),
  )
}
