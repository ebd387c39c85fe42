import { Button } from '@mantine/core'
import { useEffect } from 'react'
import type { Int64 } from '../../../client/src/index.ts'
import { formatCount } from '../base/format.ts'
import { Icon } from '../shared/icon.tsx'
import classes from './record-table.module.css'
import { type Identified, isUnsettled, type RecordWindow } from './record-window.ts'
import type { RecordList } from './use-record-list.ts'

type Props = {
  list: RecordList<Identified>
  /** The row that keeps its position. */
  anchorId: Int64 | undefined
  isRead: boolean
  /** Something lies over the rows: nothing is moved under it. */
  isCovered: boolean
}

/** Puts in place what others have added or removed: at once where nobody reads the list, else when asked for. */
export function News({ list, anchorId, isRead, isCovered }: Props) {
  const { window, settle } = list
  const hasNews = isUnsettled(window) && !isCovered
  useEffect(() => {
    if (hasNews && !isRead) settle(anchorId)
  }, [hasNews, isRead, settle, anchorId])
  return (
    <div role="status" className={classes.news}>
      {hasNews && isRead && (
        <Button
          className={classes.newsButton}
          size="xs"
          radius="xl"
          leftSection={<Icon name="bolt" size={14} />}
          onClick={() => settle(anchorId)}
        >
          {newsOf(window)}
        </Button>
      )}
    </div>
  )
}

/** Such as `Show 3 new`, or `Show 100+ new` where there may be more. */
function newsOf({ rows, held, ahead }: RecordWindow<Identified>): string {
  const known = new Set(rows.map(({ record }) => String(record.id)))
  const fresh = ahead?.records.filter(({ id }) => !known.has(String(id)))
  const added = fresh === undefined ? formatCount(held.length) : `${formatCount(fresh.length)}+`
  const missing = rows.filter(({ mark }) => mark === 'gone' || mark === 'left').length
  if (missing === 0) return `Show ${added} new`
  const left = `${formatCount(missing)} no longer in this list`
  return `${added === '0' ? '' : `${added} new, `}${left}: bring up to date`
}
