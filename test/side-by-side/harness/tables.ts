import { inProcess } from './contender.ts'
import type { Install } from './install.ts'
import type { Cells } from './probes.ts'
import type { Rounds, Speed } from './speed.ts'

/** What the campaign has recorded; `recorded.json` has it. */
export type Recorded = {
  date: string
  /** The names of the contenders, ours first, with their versions. */
  versions: Record<string, string>
  /** What each does, by the title of the row. */
  cells: Record<string, Cells>
  installs: Record<string, Install>
  speed: Speed
}

const ours = 'this'

/**
 * The table of the guide. The rows in which ours compares worst come first. Processor time is the median of the rounds; of what
 * a busy machine makes slower, the best round.
 */
export function guideTable({ versions, cells, installs, speed }: Recorded): string {
  const names = Object.keys(versions)
  const head = names.map((name) => (name === ours ? name : `${name} ${versions[name]}`))
  const [first = '', ...others] = Object.keys(cells[ours] ?? {})
  const said = (title: string) => [title, ...names.map((name) => cells[name]?.[title] ?? '')]
  const rows = [said(first), ...measuredRows(names, installs, speed), ...others.map(said)]
  return table([['', ...head], ...rows])
}

type Measured = { title: string; values: Record<string, number>; unit: string; isMoreBetter?: true }

function measuredRows(
  names: string[],
  installs: Record<string, Install>,
  speed: Speed,
): string[][] {
  const measured: Measured[] = [
    {
      title: 'an install',
      values: mapValues(installs, ({ mebibytes }) => mebibytes),
      unit: 'MiB',
    },
    { title: 'ready after', values: mapValues(speed.readyMs, lowest), unit: 'ms' },
    {
      title: 'a page by `fetch`: time',
      values: mapValues(speed.pageUs, lowest),
      unit: 'µs',
    },
    {
      title: 'a page by `fetch`: processor time of both sides',
      values: mapValues(speed.pageProcessorUs, median),
      unit: 'µs',
    },
    {
      title: '64 connections: pages a second',
      values: mapValues(speed.perSecond, highest),
      unit: '',
      isMoreBetter: true,
    },
    {
      title: '64 connections: processor time of a page',
      values: mapValues(speed.processorUs, median),
      unit: 'µs',
    },
  ]
  return measured
    .toSorted((a, b) => disadvantage(b) - disadvantage(a))
    .map(({ title, values, unit }) => [
      title,
      ...names.map((name) => {
        const value = values[name]
        const own = name === ours ? values[inProcess] : undefined
        const beside = own === undefined ? '' : ` (in process ${shown(own, unit)})`
        return value === undefined ? 'no port' : `${shown(value, unit)}${beside}`
      }),
    ])
}

/** How many times worse ours is than the best of the others. */
function disadvantage({ values, isMoreBetter }: Measured): number {
  const own = values[ours] ?? Number.NaN
  const others = Object.entries(values).filter(([name]) => name !== ours && name !== inProcess)
  const best = others.map(([, value]) => value).sort((a, b) => a - b)
  return isMoreBetter ? (best.at(-1) ?? 0) / own : own / (best[0] ?? 1)
}

/** The table of docs/measured.md: medians, with the lowest and the highest of the rounds. */
export function measuredTable({ versions, installs, speed }: Recorded): string {
  const names = [...Object.keys(versions), inProcess]
  const cellOf = (rounds: Rounds, name: string, unit: string) => {
    const values = rounds[name]?.toSorted((a, b) => a - b) ?? []
    if (values.length === 0) return ''
    const [low = 0, high = 0] = [values[0], values.at(-1)]
    return `${shown(median(values), unit)} (${shown(low, '')} to ${shown(high, '')})`
  }
  const row = (title: string, rounds: Rounds, unit: string) => [
    title,
    ...names.map((name) => cellOf(rounds, name, unit)),
  ]
  const ratioRow = (title: string, rounds: Rounds) => [
    title,
    ...names.map((name) => ratioOf(rounds[name], rounds[ours])),
  ]
  const { readyMs, pageUs, pageProcessorUs, perSecond, processorUs } = speed
  const installRow = names.map((name) => {
    const install = installs[name]
    return install
      ? `${install.packages} package${install.packages === 1 ? '' : 's'}, ${shown(install.mebibytes, 'MiB')}`
      : ''
  })
  return table([
    ['', ...names],
    ['install', ...installRow],
    row('ready', readyMs, 'ms'),
    row('page by `fetch`', pageUs, 'µs'),
    row('its processor time', pageProcessorUs, 'µs'),
    row('pages a second', perSecond, ''),
    ratioRow('their ratio to this', perSecond),
    row('processor time of each', processorUs, 'µs'),
    ratioRow('its ratio to this', processorUs),
  ])
}

/** The median of the ratios of each round. */
function ratioOf(values: number[] = [], own: number[] = []): string {
  if (values.length === 0) return ''
  return median(values.map((value, round) => value / (own[round] ?? Number.NaN))).toFixed(2)
}

const marker = (name: string) => `<!-- ${name}, written by npm run test:side-by-side -->`
const end = '<!-- end -->'

/** The document with the table between its markers. Throws where it has no such markers. */
export function withTable(document: string, name: string, text: string): string {
  const start = document.indexOf(marker(name))
  const stop = document.indexOf(end, start)
  if (start < 0 || stop < 0) throw new Error(`The document has no ${marker(name)} … ${end}.`)
  return `${document.slice(0, start)}${marker(name)}\n\n${text}\n\n${document.slice(stop)}`
}

function table([head = [], ...rows]: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function shown(value: number, unit: string): string {
  const digits = value < 10 ? 1 : 0
  const text = value >= 10_000 ? Math.round(value).toLocaleString('en') : value.toFixed(digits)
  return unit === '' ? text : `${text} ${unit}`
}

function lowest(values: number[]): number {
  return Math.min(...values)
}

function highest(values: number[]): number {
  return Math.max(...values)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function mapValues<From, To>(
  values: Record<string, From>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
