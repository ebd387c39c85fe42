import type { ReactNode } from 'react'
import { formatInstant } from '../base/format.ts'
import classes from '../editor/dialogs.module.css'
import { Members, RecordPanel } from '../editor/record-panel.tsx'
import { UserText } from '../shared/user-text.tsx'
import { describeGrants } from './grants.ts'
import { KeyState, LastUse } from './key-columns.tsx'
import type { KeyRow } from './key-list.ts'

/** All that is known of a key. */
export function KeyFacts({ row }: { row: KeyRow }) {
  const {
    createdAt,
    createdBy,
    rateLimit,
    expiresAt,
    lastUsedAt,
    revokedAt,
    previousHint,
    previousEndsAt,
  } = row
  const facts: [label: string, value: ReactNode][] = [
    ['Key', <code key="hint">{row.hint}</code>],
    ['Last used', <LastUse key="used" instant={lastUsedAt} />],
    ['Created', formatInstant(createdAt)],
    ['Created by', createdBy === undefined ? 'The machine of the store' : `Key ${createdBy}`],
    ['Rate limit', rateLimit && `${rateLimit} requests per second`],
    ['Expires', expiresAt && formatInstant(expiresAt)],
    ['Revoked', revokedAt && formatInstant(revokedAt)],
    ['Replaced key', previousHint && <code key="previous">{previousHint}</code>],
    ['It ends', previousEndsAt && formatInstant(previousEndsAt)],
  ]
  return <Members members={facts} />
}

/** A key that the signed-in one may not change. */
export function KeyPanel({ row, close }: { row: KeyRow; close(): void }) {
  return (
    <RecordPanel title="Key" of="key" record={row} close={close}>
      <p className={classes.note}>
        <UserText text={row.name} isWhole /> <KeyState row={row} />
      </p>
      <p className={classes.note}>{describeGrants(row.grants)}</p>
      <KeyFacts row={row} />
    </RecordPanel>
  )
}
