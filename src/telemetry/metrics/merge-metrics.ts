import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'

/** The metrics of a process, as plain data. */
export type ReadMetrics = MetricObjectWithValues<MetricValue<string>>[]

/** The metrics of processes in Prometheus's text format, with the number of each as the label `process`. */
export function mergeMetrics(
  all: readonly (readonly [number: number, metrics: ReadMetrics | undefined])[],
): Promise<string> {
  const labelled = all.map(([number, metrics = []]) =>
    metrics.map((metric) => ({
      ...metric,
      // No two have the same labels.
      aggregator: 'first' as const,
      values: metric.values.map((value) => ({
        ...value,
        labels: { ...value.labels, process: String(number) },
      })),
    })),
  )
  return AggregatorRegistry.aggregate(labelled).metrics()
}
