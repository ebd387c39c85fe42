import { Link } from '@tanstack/react-router'
import type { Event } from '../../../client/src/index.ts'
import { useCategoryNames } from '../api/categories.ts'
import { readableKinds } from '../api/following.ts'
import { withPetNames } from '../api/pet-names.ts'
import { formatInstant, formatPrice } from '../base/format.ts'
import { parseId } from '../base/int64-text.ts'
import { isolated } from '../base/visible-text.ts'
import { recordName } from '../shared/record-words.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'
import { kindOf, labelOf } from './event-labels.ts'

/** An event, with the name of the pet of its order or stock, as far as it is known. */
export type NamedEvent = Event & { petName?: string }

/** Names the pets of events on orders and stock. */
export function withEventPets(
  page: { data: readonly Event[]; nextCursor: string | undefined },
  signal: AbortSignal | undefined,
) {
  return withPetNames<Event>(page, ({ data }) => ('petId' in data ? data.petId : undefined), signal)
}

const pages = {
  pet: '/pets',
  details: '/pets',
  photo: '/pets',
  category: '/categories',
  order: '/orders',
  inventory: '/inventory',
  key: '/keys',
  webhook: '/webhooks',
} as const

type Props = {
  event: NamedEvent
  /** Within a grid a click opens the row, and all is in one line. */
  isInGrid?: boolean
}

/** The record that changed, which leads to it unless it is gone. */
export function EventRecord({ event: { type, data, petName }, isInGrid = false }: Props) {
  const kind = kindOf(type)
  const page = pages[kind as keyof typeof pages]
  const id = 'id' in data ? data.id : data.petId
  const name = 'name' in data ? data.name : petName
  const named = recordName(page === '/pets' || kind === 'inventory' ? 'pet' : kind, id)
  const text = <UserText text={name === undefined ? named : `${named}, ${name}`} />
  if (isInGrid || page === undefined || type.endsWith('.deleted')) return text
  return (
    <Link to={page} search={{ at: String(id) }} className={classes.link}>
      {text}
    </Link>
  )
}

/** Who made the change: a key by its name, a job or a command. */
export function EventActor({ event: { actor }, isInGrid = false }: Props) {
  const { type, name, keyId } = actor
  if (keyId === undefined) return <UserText text={`${type} ${name}`} />
  if (isInGrid || !readableKinds().includes('key')) return <UserText text={name} />
  return (
    <Link to="/keys" search={{ at: String(keyId) }} className={classes.link}>
      <UserText text={name} />
    </Link>
  )
}

/** What changed, from what to what: `Status: available → sold`. */
export function EventChanges({ event, isInGrid = false }: Props) {
  const previous = 'previous' in event ? (event.previous ?? {}) : {}
  const nameOf = useCategoryNames('categoryId' in previous)
  const now = event.data as Record<string, unknown>
  const shown = (name: string, value: unknown) => {
    if (name === 'types' && (value ?? null) === null) return 'everything'
    if (value === undefined || value === null || value === '') return 'none'
    if (Array.isArray(value)) return isolated(value.map(labelOf).join(', '))
    if (name === 'price') return formatPrice(value as { amount: string; currency: string })
    const category = name === 'categoryId' ? parseId(String(value)) : undefined
    if (/^\d{4}-\d\d-\d\dT/.test(String(value))) return formatInstant(String(value))
    return isolated((category === undefined ? undefined : nameOf(category)) ?? String(value))
  }
  const text = Object.entries(previous)
    // They say again what the status, the time and the file say.
    .filter(([name]) => !['complete', 'digest', 'updatedAt'].includes(name))
    .map(
      ([name, before]) =>
        `${labels[name] ?? name}: ${shown(name, before)} → ${shown(name, now[name])}`,
    )
    .join(', ')
  return (
    <span className={isInGrid ? classes.cut : undefined} title={isInGrid ? text : undefined}>
      {text}
    </span>
  )
}

const labels: Record<string, string> = {
  bornOn: 'Born',
  categoryId: 'Category',
  description: 'Description',
  disabledReason: 'Reason',
  expiresAt: 'End',
  height: 'Height',
  hint: 'Key',
  name: 'Name',
  previousEndsAt: 'End of the replaced key',
  previousSecretEndsAt: 'End of the replaced secret',
  price: 'Price',
  quantity: 'In stock',
  rateLimit: 'Rate limit',
  revokedAt: 'Revoked',
  scopes: 'Allowed to',
  sex: 'Sex',
  shipDate: 'Shipped',
  sizeBytes: 'Bytes',
  status: 'Status',
  tags: 'Tags',
  type: 'Type',
  types: 'Receives',
  url: 'Address',
  width: 'Width',
}
