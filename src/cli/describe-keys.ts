import { styleText } from 'node:util'
import type { StoredKey } from '../features/keys/queries.ts'
import { scopes } from '../features/scopes.ts'
import { formatTable } from './table.ts'

/** A key as JSON: everything that is known of it, instants in ISO 8601; `null` where there is none. */
export function describeKey(key: StoredKey) {
  const { id, name, hint, createdAt, expiresAt, lastUsedAt, revokedAt } = key
  return {
    id: Number(id),
    name,
    hint,
    scopes: key.scopes,
    createdAt: instantOf(createdAt),
    expiresAt: instantOf(expiresAt),
    lastUsedAt: instantOf(lastUsedAt),
    revokedAt: instantOf(revokedAt),
  }
}

/** Keys as a table for people. */
export function formatKeys(
  keys: readonly StoredKey[],
  nowMs: number,
  stream: NodeJS.WriteStream,
): string {
  const rows = keys.map((key) => [
    String(key.id),
    key.name,
    key.hint.replace(/^pet_(?:live|test)_/, ''),
    key.scopes.length === scopes.length ? 'all' : key.scopes.join(', '),
    dayOf(key.lastUsedAt) ?? 'never',
    stateOf(key, nowMs),
  ])
  const columns = ['ID', 'NAME', 'KEY', 'SCOPES', 'LAST USED', 'STATE']
  return formatTable(columns, rows, (text) => styleText('bold', text, { stream }))
}

function stateOf({ expiresAt, revokedAt }: StoredKey, nowMs: number): string {
  if (revokedAt !== undefined) return `revoked ${dayOf(revokedAt)}`
  if (expiresAt === undefined) return 'valid'
  return `${expiresAt <= nowMs ? 'expired' : 'until'} ${dayOf(expiresAt)}`
}

function dayOf(ms: number | undefined): string | undefined {
  return instantOf(ms)?.slice(0, 10)
}

function instantOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}
