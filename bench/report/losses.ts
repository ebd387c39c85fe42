import { judge } from '../goals.ts'
import type { Results } from '../results.ts'
import { median } from '../statistics.ts'
import { workloads } from '../workloads.ts'

const compared = [
  { measure: 'processorUs', says: 'µs of processor per answer' },
  { measure: 'p50Ms', says: 'ms at p50' },
  { measure: 'p99Ms', says: 'ms at p99' },
  { measure: 'peakMiB', says: 'MiB at the peak' },
] as const

/** A sentence for each goal that is not met, and for each contender that is better at anything measured. */
export function lossesOf(results: Results): string[] {
  const missed = judge(results)
    .filter(({ isMet, isVoid }) => !isMet || isVoid)
    .map(({ title, estimate: { median }, isVoid }) => {
      if (Number.isNaN(median)) return `Not measured: ${title}.`
      return isVoid ? `Void: ${title}.` : `Goal missed: ${title}.`
    })
  return [...missed, ...workloads.flatMap(({ name }) => lossesIn(results, name))]
}

function lossesIn({ windows }: Results, workload: string): string[] {
  const { ours = [], ...others } = windows[workload] ?? {}
  const contenders = Object.entries(others).filter(([name]) => !/^(?:ours|raw)/.test(name))
  return compared.flatMap(({ measure, says }) => {
    const own = median(ours.map((window) => window[measure]))
    return contenders
      .map(([name, of]) => ({ name, value: median(of.map((window) => window[measure])) }))
      .filter(({ value }) => value < own)
      .map(({ name, value }) => `${workload}: ${name} ${shown(value)}, we ${shown(own)} ${says}.`)
  })
}

function shown(value: number): string {
  return String(Number(value.toPrecision(3)))
}
