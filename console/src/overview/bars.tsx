import type { CSSProperties, ReactNode } from 'react'
import type { Count } from '../api/counts.ts'
import { CountText } from '../shared/count-text.tsx'
import classes from './overview-page.module.css'

type Bar = {
  key: string
  label: ReactNode
  /** Undefined until it is counted. */
  value: Count | undefined
  /** Leads to the list that is counted. */
  link(text: ReactNode): ReactNode
  /** Another number beside it. */
  also?: ReactNode
  tone?: 'good' | 'waiting' | 'over'
}

type Props = { caption: string; unit: string; bars: readonly Bar[] }

/** A plot that is a table: a bar for each row, relative to the longest. */
export function Bars({ caption, unit, bars }: Props) {
  const longest = Math.max(1, ...bars.map(({ value }) => numberOf(value)))
  return (
    <table className={classes.bars}>
      <caption className="only-heard">{caption}</caption>
      <thead className="only-heard">
        <tr>
          <th scope="col">{caption}</th>
          <th scope="col">{unit}</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, label, value, tone, link, also }) => (
          <tr key={key}>
            <th scope="row">{link(label)}</th>
            <td>
              <span
                className={classes.bar}
                data-tone={tone}
                style={{ '--share': numberOf(value) / longest } as CSSProperties}
              />
              <span className={classes.value}>{link(<CountText value={value} />)}</span>
              {also && <span className={classes.also}>{also}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function numberOf(value: Count | undefined): number {
  return typeof value === 'number' ? value : 0
}
