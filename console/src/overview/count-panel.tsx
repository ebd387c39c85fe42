import { Link } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'
import { type Counting, useCounts } from '../api/counts.ts'
import { CountText } from '../shared/count-text.tsx'
import classes from './overview-page.module.css'
import { Panel } from './panel.tsx'

/** The records that a search finds, which leads to them. */
export type CountLine<Search> = {
  label: string
  search: Search
  /** Those of them that are sold. */
  sold?: Search
  tone?: 'good' | 'waiting' | 'over'
}

type Props<Search> = {
  title: string
  /** What the numbers are. */
  unit: string
  kind: string
  to: '/orders' | '/pets'
  lines: readonly CountLine<Search>[]
  counting(search: Search): Counting
}

/** A plot that is a table: a bar for each line, relative to the longest. */
export function CountPanel<Search extends object>(props: Props<Search>) {
  const { title, unit, kind, to, lines, counting } = props
  const searches = lines.flatMap(({ search, sold }) => (sold ? [search, sold] : [search]))
  const query = useCounts(kind, [title, searches], searches.map(counting))
  const countOf = (search: Search) => query.data?.[searches.indexOf(search)]
  const longest = Math.max(1, ...lines.map(({ search }) => Number(countOf(search)) || 0))
  const link = (search: Search, text: ReactNode) => (
    <Link to={to} search={search}>
      {text}
    </Link>
  )
  return (
    <Panel title={title} query={query} lines={lines.length}>
      <table className={classes.bars}>
        <caption className="only-heard">{title}</caption>
        <thead className="only-heard">
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">{unit}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ label, search, sold, tone }) => (
            <tr key={label}>
              <th scope="row">{link(search, label)}</th>
              <td>
                <span
                  className={classes.bar}
                  data-tone={tone}
                  style={{ '--share': (Number(countOf(search)) || 0) / longest } as CSSProperties}
                />
                <span className={classes.value}>
                  {link(search, <CountText value={countOf(search)} />)}
                </span>
                {sold && (
                  <span className={classes.also}>
                    {link(
                      sold,
                      <>
                        <CountText value={countOf(sold)} /> sold
                      </>,
                    )}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
