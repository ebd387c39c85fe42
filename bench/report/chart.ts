import type { Results } from '../results.ts'
import { median } from '../statistics.ts'
import { type WorkloadName, workloads } from '../workloads.ts'

const widthPx = 760
const labelPx = 190
const barPx = 16
const gapPx = 5
const headPx = 34
const barMaxPx = widthPx - labelPx - 90
const shownWorkloads: readonly WorkloadName[] = [
  'same page',
  'random pages',
  'filtered pages',
  'one animal',
  'creates',
  'PostgreSQL, same page',
  'PostgreSQL, creates',
]

type Bar = { server: string; us: number }
type Group = { name: string; bars: Bar[]; standing: number }

/** Processor time of one answer, drawn: the workload where we stand worst against the others first. */
export function drawChart(results: Results): string {
  const groups = workloads
    .filter(({ name }) => shownWorkloads.includes(name))
    .map(({ name }) => groupOf(results, name))
    .filter(({ bars }) => bars.length > 0)
    .toSorted((a, b) => b.standing - a.standing)
  let top = 0
  const drawn = groups.map((group) => {
    const text = drawGroup(group, top)
    top += heightOf(group)
    return text
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${top}" width="${widthPx}" height="${top}" role="img" aria-label="Processor time of one answer in microseconds, by workload and server">`,
    '<style>text { font: 12px system-ui, sans-serif; fill: #57606a } .head { font-weight: 600 } rect { fill: #9aa4af } .ours { fill: #2f7d4f } .raw { fill: #d5dae0 } @media (prefers-color-scheme: dark) { text { fill: #aeb7c0 } .raw { fill: #4a525b } }</style>',
    ...drawn,
    '</svg>\n',
  ].join('\n')
}

function groupOf({ windows }: Results, name: WorkloadName): Group {
  const bars = Object.entries(windows[name] ?? {})
    .filter(([server]) => server !== 'ours again')
    .map(([server, of]) => ({ server, us: median(of.map(({ processorUs }) => processorUs)) }))
    .toSorted((a, b) => a.us - b.us)
  const others = bars.filter(({ server }) => server !== 'ours' && !server.startsWith('raw'))
  const ours = bars.find(({ server }) => server === 'ours')?.us ?? Number.POSITIVE_INFINITY
  return { name, bars, standing: ours / (others[0]?.us ?? ours) }
}

function drawGroup({ name, bars }: Group, top: number): string {
  const longest = Math.max(...bars.map(({ us }) => us))
  const lines = bars.map(({ server, us }, index) => {
    const y = top + headPx + index * (barPx + gapPx)
    const width = Math.max(1, Math.round((us / longest) * barMaxPx))
    const kind =
      server === 'ours' ? ' class="ours"' : server.startsWith('raw') ? ' class="raw"' : ''
    return [
      `<text x="${labelPx - 8}" y="${y + 12}" text-anchor="end">${escaped(server)}</text>`,
      `<rect x="${labelPx}" y="${y}" width="${width}" height="${barPx}"${kind}/>`,
      `<text x="${labelPx + width + 6}" y="${y + 12}">${us.toFixed(us < 100 ? 1 : 0)} µs</text>`,
    ].join('')
  })
  return [`<text class="head" x="0" y="${top + 22}">${escaped(name)}</text>`, ...lines].join('\n')
}

function heightOf({ bars }: Group): number {
  return headPx + bars.length * (barPx + gapPx)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
