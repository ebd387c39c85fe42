import { Button } from '@mantine/core'
import { formatCount } from '../base/format.ts'
import { Icon } from '../shared/icon.tsx'
import classes from './record-table.module.css'
import type { Identified, RecordWindow } from './record-window.ts'

type Props = { window: RecordWindow<Identified>; isShown: boolean; show(): void }

/** What others have added or removed while somebody reads: it is put in place when asked for. */
export function News({ window, isShown, show }: Props) {
  const label = newsOf(window)
  return (
    <div role="status" className={classes.news}>
      {isShown && label !== undefined && (
        <Button
          className={classes.newsButton}
          size="xs"
          radius="xl"
          leftSection={<Icon name="bolt" size={14} />}
          onClick={show}
        >
          {label}
        </Button>
      )}
    </div>
  )
}

/** Such as `Show 3 new`, or `Show 100+ new` where there may be more. */
function newsOf({ rows, held, ahead }: RecordWindow<Identified>): string | undefined {
  const known = new Set(rows.map(({ record }) => String(record.id)))
  const fresh = ahead?.records.filter(({ id }) => !known.has(String(id)))
  const added = fresh === undefined ? formatCount(held.length) : `${formatCount(fresh.length)}+`
  const missing = rows.filter(({ mark }) => mark === 'gone' || mark === 'left').length
  if (missing === 0) return added === '0' ? undefined : `Show ${added} new`
  const left = `${formatCount(missing)} no longer in this list`
  return `${added === '0' ? '' : `${added} new, `}${left}: bring up to date`
}
