import type { Key } from '../features/keys/contract/keys.ts'
import { formatTable } from './table.ts'

/** A key as JSON: everything that is known of it; `null` where there is nothing. */
export function describeKey(key: Key) {
  const { id, name, hint, scopes, createdAt, createdBy } = key
  return {
    id: Number(id),
    name,
    hint,
    scopes,
    createdAt,
    createdBy: createdBy === undefined ? null : Number(createdBy),
    rateLimit: key.rateLimit ?? null,
    expiresAt: key.expiresAt ?? null,
    lastUsedAt: key.lastUsedAt ?? null,
    revokedAt: key.revokedAt ?? null,
    previousHint: key.previousHint ?? null,
    previousEndsAt: key.previousEndsAt ?? null,
  }
}

/** A key for people, a line for each thing that is known of it. */
export function formatKey(key: ReturnType<typeof describeKey>): string {
  const known = Object.entries(key).filter(([, value]) => value !== null)
  const width = Math.max(...known.map(([name]) => name.length)) + 2
  const lines = known.map(([name, value]) => `${name.padEnd(width)}${[value].flat().join(', ')}\n`)
  return lines.join('')
}

/** Keys as a table for people. */
export function formatKeys(keys: readonly Key[], nowMs: number): string {
  const now = new Date(nowMs).toISOString()
  const rows = keys.map((key) => [
    String(key.id),
    key.name,
    [endOf(key.hint), ...replacedOf(key, now)].join(' '),
    key.scopes.join(', '),
    dayOf(key.lastUsedAt) ?? 'never',
    stateOf(key, now),
  ])
  return formatTable(['ID', 'NAME', 'KEY', 'SCOPES', 'LAST USED', 'STATE'], rows)
}

function endOf(hint: string): string {
  return hint.replace(/^pet_(?:live|test)_/, '')
}

/** The key that a rotation replaced, while it is accepted. */
function replacedOf({ previousHint = '', previousEndsAt = '' }: Key, now: string): string[] {
  return previousEndsAt > now ? [`(${endOf(previousHint)} until ${dayOf(previousEndsAt)})`] : []
}

function stateOf({ expiresAt, revokedAt }: Key, now: string): string {
  if (revokedAt !== undefined) return `revoked ${dayOf(revokedAt)}`
  if (expiresAt === undefined) return 'valid'
  return `${expiresAt <= now ? 'expired' : 'until'} ${dayOf(expiresAt)}`
}

function dayOf(instant: string | undefined): string | undefined {
  return instant?.slice(0, 10)
}
