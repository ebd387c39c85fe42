import { Button } from '@mantine/core'
import { Icon } from '../shared/icon.tsx'
import { count } from '../shared/numbers.ts'
import classes from './record-table.module.css'
import type { RecordWindow } from './record-window.ts'

type Props = { window: RecordWindow<unknown>; isShown: boolean; show(): void }

/** What others have added or removed while somebody reads: it is put in place when asked for. */
export function News({ window: { rows, held }, isShown, show }: Props) {
  const missing = rows.filter(({ mark }) => mark === 'gone' || mark === 'left').length
  const parts = [
    ...(held.length > 0 ? [`${count(held.length)} new`] : []),
    ...(missing > 0 ? [`${count(missing)} no longer in this list`] : []),
  ]
  return (
    <div role="status" className={classes.news}>
      {isShown && parts.length > 0 && (
        <Button size="xs" radius="xl" leftSection={<Icon name="bolt" size={14} />} onClick={show}>
          {parts.join(', ')}: bring up to date
        </Button>
      )}
    </div>
  )
}
