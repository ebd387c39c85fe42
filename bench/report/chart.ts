import { findVoid } from '../goals.ts'
import type { Results } from '../results.ts'
import { isContender, rawNode, type WorkloadName } from '../workloads.ts'
import { middle, oursIn } from './tables.ts'

const widthPx = 760
const labelPx = 190
const stepPx = 21
const headPx = 34
const footPx = 40
const barMaxPx = widthPx - labelPx - 90
const shownWorkloads: readonly WorkloadName[] = [
  'same page',
  'random pages',
  'filtered pages',
  'one pet',
  'creates',
  'PostgreSQL, same page',
  'PostgreSQL, creates',
]
const style =
  'text { font: 12px system-ui, sans-serif; fill: #57606a } .head { font-weight: 600 } rect { fill: #9aa4af } .ours { fill: #2f7d4f } .raw { fill: #d5dae0 } @media (prefers-color-scheme: dark) { text { fill: #aeb7c0 } .raw { fill: #4a525b } }'

type Bar = { server: string; us: number }
type Group = { title: string; bars: Bar[]; relativeCost: number }

/** Processor time per answer as bars. The workload in which ours is dearest relative to the best contender comes first. */
export function drawChart(results: Results): string {
  const groups = shownWorkloads
    .map((name) => groupOf(results, name))
    .filter(({ bars }) => bars.length > 0)
    .toSorted((a, b) => b.relativeCost - a.relativeCost)
  let top = 0
  const drawn = groups.map((group) => {
    const text = drawGroup(group, top)
    top += headPx + group.bars.length * stepPx
    return text
  })
  const { madeOn, machine, versions } = results
  const origin = `Measured on ${madeOn}: ${machine.processor}, ${machine.cores} cores, commit ${versions.commit}.`
  const height = top + footPx
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widthPx} ${height}" width="${widthPx}" height="${height}" role="img" aria-label="Processor time per answer in microseconds, by workload and server">`,
    `<style>${style}</style>`,
    ...drawn,
    `<text x="0" y="${top + 26}">${escaped(origin)}</text>`,
    '</svg>\n',
  ].join('\n')
}

function groupOf(results: Results, name: WorkloadName): Group {
  const { ours, 'ours again': again, ...others } = results.windows[name] ?? {}
  const servers = ours ? { ...others, ours: oursIn({ ours, 'ours again': again ?? [] }) } : others
  const bars = Object.entries(servers)
    .map(([server, windows]) => ({ server, us: middle(windows, 'processorUs') }))
    .toSorted((a, b) => a.us - b.us)
  const best = bars.find(({ server }) => isContender(server))?.us ?? Number.NaN
  const own = bars.find(({ server }) => server === 'ours')?.us ?? Number.POSITIVE_INFINITY
  const title = findVoid(results).has(name) ? `${name} (void)` : name
  return { title, bars, relativeCost: own / best }
}

function drawGroup({ title, bars }: Group, top: number): string {
  const longest = Math.max(...bars.map(({ us }) => us))
  const lines = bars.map(({ server, us }, index) => {
    const y = top + headPx + index * stepPx
    const width = Math.max(1, Math.round((us / longest) * barMaxPx))
    const kind = server === 'ours' ? ' class="ours"' : server === rawNode ? ' class="raw"' : ''
    return [
      `<text x="${labelPx - 8}" y="${y + 12}" text-anchor="end">${escaped(server)}</text>`,
      `<rect x="${labelPx}" y="${y}" width="${width}" height="16"${kind}/>`,
      `<text x="${labelPx + width + 6}" y="${y + 12}">${us.toFixed(us < 100 ? 1 : 0)} µs</text>`,
    ].join('')
  })
  return [`<text class="head" x="0" y="${top + 22}">${escaped(title)}</text>`, ...lines].join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
