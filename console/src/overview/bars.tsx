import type { CSSProperties, ReactNode } from 'react'
import { count } from '../shared/numbers.ts'
import classes from './overview-page.module.css'
import type { Count } from './use-counts.ts'

type Bar = {
  key: string
  label: ReactNode
  value: Count
  tone?: 'good' | 'waiting' | 'over'
}

type Props = { caption: string; unit: string; bars: readonly Bar[] }

/** A plot that is a table: a bar for each row, relative to the longest. */
export function Bars({ caption, unit, bars }: Props) {
  const longest = Math.max(1, ...bars.map(({ value }) => (value === 'tooLong' ? 0 : value)))
  return (
    <table className={classes.bars}>
      <caption className={classes.unseen}>{caption}</caption>
      <thead className={classes.unseen}>
        <tr>
          <th scope="col">{caption}</th>
          <th scope="col">{unit}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, label, value, tone }) => (
          <tr key={key}>
            <th scope="row">{label}</th>
            <td>
              <span
                className={classes.bar}
                data-tone={tone}
                style={{ '--share': value === 'tooLong' ? 0 : value / longest } as CSSProperties}
              />
              <span className={classes.value}>
                <CountText value={value} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A count as the reader writes numbers; one that takes too long is left out, and says so. */
export function CountText({ value }: { value: Count | undefined }) {
  if (value === undefined) return <span className={classes.quiet}>…</span>
  if (value !== 'tooLong') return count(value)
  return (
    <span className={classes.quiet} title="Counting them takes the service too long.">
      not counted
    </span>
  )
}
