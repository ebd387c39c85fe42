import { isSame } from '../base/is-same.ts'

type Members = Record<string, unknown>

/** The members of a new record: those without a value are left out. */
export function givenMembers(body: object): Members {
  return pick(body, (_name, value) => (value ?? null) !== null)
}

/** The members that differ from those of a record; members that cannot be sent are left out. */
export function changedMembers(body: object, before: object): Members {
  const known: Members = { ...before }
  return pick(body, (name, value) => value !== undefined && !isSame(value, known[name]))
}

function pick(members: object, isPicked: (name: string, value: unknown) => boolean): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => isPicked(name, value)),
  )
}
