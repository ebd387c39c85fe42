import { Link } from '@tanstack/react-router'
import type { Event } from '../../../client/src/index.ts'
import { useCategoryNames } from '../api/categories.ts'
import { readableKinds } from '../api/following.ts'
import { formatInstant } from '../base/format.ts'
import { parseId } from '../base/int64-text.ts'
import { isolated } from '../base/visible-text.ts'
import { UserText } from '../shared/user-text.tsx'
import classes from '../table/cells.module.css'
import { kindOf, labelOf } from './event-labels.ts'

const pages = {
  pet: '/pets',
  category: '/categories',
  order: '/orders',
  inventory: '/inventory',
  key: '/keys',
  webhook: '/webhooks',
} as const

type Props = {
  event: Event
  /** Within a grid the keys are those of the grid. */
  isInGrid?: boolean
}

/** The record that changed, which leads to it unless it is gone. */
export function EventRecord({ event: { type, data }, isInGrid = false }: Props) {
  const kind = kindOf(type)
  const page = pages[kind as keyof typeof pages]
  const id = String('id' in data ? data.id : data.petId)
  const noun = kind === 'inventory' ? 'pet' : kind
  const text = <UserText text={`${noun} ${id}${'name' in data ? `, ${data.name}` : ''}`} />
  if (page === undefined || type.endsWith('.deleted')) return text
  return (
    <Link to={page} search={{ at: id }} tabIndex={isInGrid ? -1 : 0} className={classes.link}>
      {text}
    </Link>
  )
}

/** Who made the change: a key by its name, a job or a command. */
export function EventActor({ event: { actor }, isInGrid = false }: Props) {
  const { type, name, keyId } = actor
  if (keyId === undefined) return <UserText text={`${type} ${name}`} />
  if (!readableKinds().includes('key')) return <UserText text={name} />
  return (
    <Link
      to="/keys"
      search={{ at: String(keyId) }}
      tabIndex={isInGrid ? -1 : 0}
      className={classes.link}
    >
      <UserText text={name} />
    </Link>
  )
}

/** What changed, from what to what. */
export function EventChanges({ event, isInGrid = false }: Props) {
  const previous = 'previous' in event ? (event.previous ?? {}) : {}
  const nameOf = useCategoryNames('categoryId' in previous)
  const now = event.data as Record<string, unknown>
  const shown = (name: string, value: unknown) => {
    if (name === 'types' && (value ?? null) === null) return 'everything'
    if (value === undefined || value === null || value === '') return 'nothing'
    if (Array.isArray(value)) return value.map(labelOf).join(', ')
    const category = name === 'categoryId' ? parseId(String(value)) : undefined
    if (name.endsWith('At')) return formatInstant(String(value))
    return isolated((category === undefined ? undefined : nameOf(category)) ?? String(value))
  }
  const text = Object.entries(previous)
    // It says again what the status says.
    .filter(([name]) => name !== 'complete')
    .map(
      ([name, before]) =>
        `${labels[name] ?? name} from ${shown(name, before)} to ${shown(name, now[name])}`,
    )
    .join(', ')
  return (
    <span className={isInGrid ? classes.cut : undefined} title={isInGrid ? text : undefined}>
      {text}
    </span>
  )
}

const labels: Record<string, string> = {
  categoryId: 'category',
  expiresAt: 'end',
  disabledReason: 'reason',
  hint: 'key',
  previousSecretEndsAt: 'end of the replaced secret',
  url: 'address',
}
