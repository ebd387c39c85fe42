import { Button } from '@mantine/core'
import { useEffectEvent, useLayoutEffect } from 'react'
import { formatCount } from '../base/format.ts'
import { Icon } from '../shared/icon.tsx'
import classes from './record-table.module.css'
import { betweenRows, type Identified, isMissing, type RecordWindow } from './record-window.ts'
import type { RecordList } from './use-record-list.ts'

type Props = {
  list: RecordList<Identified>
  isRead(): boolean
  /** Something lies over the rows: nothing is moved under it. */
  isCovered: boolean
}

const checkMs = 500

/** Puts in place what others have added or removed: as soon as nobody reads the list, or when asked for. */
export function News({ list, isRead, isCovered }: Props) {
  const { window, settle } = list
  const hasNews = window.news !== undefined && !isCovered
  const settleUnread = useEffectEvent(() => isRead() || settle())
  useLayoutEffect(() => {
    if (!hasNews) return
    settleUnread()
    const timer = setInterval(settleUnread, checkMs)
    return () => clearInterval(timer)
  }, [hasNews])
  return (
    <div role="status" className={classes.news}>
      {hasNews && (
        <Button
          className={classes.newsButton}
          size="xs"
          radius="xl"
          leftSection={<Icon name="bolt" size={14} />}
          onClick={settle}
        >
          {newsOf(window)}
        </Button>
      )}
    </div>
  )
}

/** Such as `Show 3 new`, or `Show 100+ new` where there may be more. */
function newsOf(window: RecordWindow<Identified>): string {
  const { rows, news } = window
  const between = news === undefined ? [] : betweenRows(window, news)
  const isMore = news?.isEnd === false && news.records.at(-1) === between.at(-1)
  const added = `${formatCount(between.length)}${isMore && between.length > 0 ? '+' : ''}`
  const missing = rows.filter(isMissing).length
  if (missing === 0) return `Show ${added} new`
  const left = `${formatCount(missing)} no longer in this list`
  return `${added === '0' ? '' : `${added} new, `}${left}: bring up to date`
}
