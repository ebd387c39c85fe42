import { Counter, Histogram, type Registry } from 'prom-client'
import type { Observer } from '../../http/observe.ts'
import { durationBuckets } from './request-metrics.ts'

const inputsBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048]

/** Counts and times commits, and the changes in them; `types` are those of all changes. */
export function observeCommits(registers: Registry[], types: readonly string[]): Observer {
  const inputs = new Histogram({
    name: 'petstore_commit_inputs',
    help: 'Inputs that one commit has stored.',
    buckets: inputsBuckets,
    registers,
  })
  const durations = new Histogram({
    name: 'petstore_commit_duration_seconds',
    help: 'From the end of the statements until the transaction was durable.',
    buckets: durationBuckets,
    registers,
  })
  const waits = new Histogram({
    name: 'petstore_commit_wait_seconds',
    help: 'How long the oldest input of a commit had waited when its transaction began.',
    buckets: durationBuckets,
    registers,
  })
  const changes = new Counter({
    name: 'petstore_changes_total',
    help: 'Changes that this process has stored, by type of event; order.expired are the holds that expired.',
    labelNames: ['type'],
    registers,
  })
  const delays = new Histogram({
    name: 'petstore_feed_delay_seconds',
    help: 'Age of each event when this process read it for its streams.',
    buckets: durationBuckets,
    registers,
  })
  for (const type of types) changes.inc({ type }, 0)
  return {
    committed({ inputs: count, commitMs, waitedMs, changed }) {
      inputs.observe(count)
      durations.observe(commitMs / 1_000)
      waits.observe(waitedMs / 1_000)
      for (const [type, made] of changed) changes.inc({ type }, made)
    },
    // Clocks of two processes may differ.
    eventRead: (ageMs) => delays.observe(Math.max(0, ageMs) / 1_000),
  }
}
