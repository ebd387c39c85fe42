import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Half a millisecond to ten seconds. */
const durationBuckets = [
  ...[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
]

/** A number, or with a label a number for each of its values. An unknown one is undefined, and has no series. */
type State = number | undefined | Readonly<Record<string, number | undefined>>

export type Instruments = ReturnType<typeof createInstruments>

/** Makes the metrics of a registry, whose names begin with `petstore_`. */
export function createInstruments(registry: Registry) {
  const common = (name: string, help: string, labelNames: readonly string[]) => {
    return { name: `petstore_${name}`, help, labelNames, registers: [registry] }
  }
  return {
    counter: (name: string, help: string, ...labels: string[]) =>
      new Counter(common(name, help, labels)),
    gauge: (name: string, help: string, ...labels: string[]) =>
      new Gauge(common(name, help, labels)),
    histogram: (name: string, help: string, labels: string[] = [], buckets = durationBuckets) =>
      new Histogram({ ...common(name, help, labels), buckets }),
    /** A gauge that each scrape reads. */
    state(name: string, help: string, read: () => State | Promise<State>, ...labels: string[]) {
      const [label = ''] = labels
      const gauge = new Gauge({
        ...common(name, help, labels),
        async collect() {
          const state = await read()
          gauge.reset()
          if (typeof state === 'number') gauge.set(state)
          else if (state === undefined) gauge.remove()
          else {
            for (const [value, number] of Object.entries(state))
              if (number !== undefined) gauge.set({ [label]: value }, number)
          }
        },
      })
    },
  }
}
