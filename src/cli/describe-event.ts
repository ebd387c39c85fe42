/** An event as operations return it. */
export type LoggedEvent = {
  createdAt: string
  type: string
  data: object
  previous?: object
  actor: { type: string; name: string }
}

type Members = Readonly<Record<string, unknown>>

const typeWidth = 'inventory.updated'.length

/** An event as a line for people: when, what, of which record, from what to what, and by whom. */
export function describeEvent(event: LoggedEvent): string {
  const { createdAt, type, previous = {}, actor } = event
  const data = event.data as Members
  const changes = Object.entries(previous as Members).map(
    ([name, before]) => `${name} ${shown(before)} → ${shown(data[name])}`,
  )
  const what = [subjectOf(type, data), changes.join(', ')].filter(Boolean).join(': ')
  return `${createdAt}  ${type.padEnd(typeWidth)}  ${what}, by ${actor.type} ${shown(actor.name)}`
}

/** The record: its kind and id, and what people know it by. */
function subjectOf(type: string, { id, petId, name, quantity }: Members): string {
  const [kind] = type.split('.', 1)
  if (kind === 'inventory') return `stock of pet ${petId}, ${quantity} on hand`
  const pet = petId === undefined ? [] : [`of pet ${petId}`]
  const known = name === undefined ? [] : [`“${name}”`]
  return [kind, id, ...pet, ...known].join(' ')
}

/** A value in words; a text is quoted unless it is one word or an instant. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (Array.isArray(value)) return value.map(shown).join(' ')
  return typeof value === 'string' && !/^[\w:.@-]+$/.test(value) ? `“${value}”` : String(value)
}
