import type { ReactNode } from 'react'
import type { Key } from '../../../client/src/index.ts'
import { formatInstant } from '../base/format.ts'
import classes from '../editor/dialogs.module.css'
import { Members, RecordPanel } from '../editor/record-panel.tsx'
import { UserText } from '../shared/user-text.tsx'
import { describeGrants } from './grants.ts'
import { KeyState, LastUse } from './key-columns.tsx'

/** All that is known of a key. */
export function KeyFacts({ row }: { row: Key }) {
  const { createdBy } = row
  const format = (instant: string | undefined) => instant && formatInstant(instant)
  const facts: [label: string, value: ReactNode][] = [
    ['Key', <code key="hint">{row.hint}</code>],
    ['Last used', <LastUse key="used" instant={row.lastUsedAt} />],
    ['Created', format(row.createdAt)],
    ['Created by', createdBy === undefined ? 'The machine of the store' : `Key ${createdBy}`],
    ['Rate limit', row.rateLimit && `${row.rateLimit} requests per second`],
    ['Expires', format(row.expiresAt)],
    ['Revoked', format(row.revokedAt)],
    ['Replaced key', row.previousHint && <code key="previous">{row.previousHint}</code>],
    ['It ends', format(row.previousEndsAt)],
  ]
  return <Members members={facts} />
}

/** A key that the signed-in one may not change. */
export function KeyPanel({ row, close }: { row: Key; close(): void }) {
  return (
    <RecordPanel title="Key" record={row} close={close}>
      <p className={classes.note}>
        <UserText text={row.name} isWhole /> <KeyState row={row} />
      </p>
      <p className={classes.note}>{describeGrants(row.scopes)}</p>
      <KeyFacts row={row} />
    </RecordPanel>
  )
}
