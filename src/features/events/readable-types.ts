import type { CallerContext } from '../../context/context.ts'

type Reader = Pick<CallerContext, 'eventTypes' | 'actor'>

/** Of these types, or of all, the ones that the caller may read; undefined where that is every one. */
export function readableTypes(
  { eventTypes, actor }: Reader,
  asked?: readonly string[],
): readonly string[] | undefined {
  const all = Object.keys(eventTypes)
  const types = all.filter(
    (type) => mayRead({ eventTypes, actor }, type) && (asked?.includes(type) ?? true),
  )
  return types.length === all.length ? undefined : types
}

export function mayRead({ eventTypes, actor }: Reader, type: string): boolean {
  const scope = eventTypes[type]?.scope
  return scope !== undefined && (!actor || actor.scopes.has(scope))
}
