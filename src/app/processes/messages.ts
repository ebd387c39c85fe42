import type { ReadMetrics } from '../../telemetry/metrics/merge-metrics.ts'
import type { RunningService } from '../service.ts'

/** The descriptor that a process of a supervisor listens on. */
export const sharedSocket = 4

/** What a supervisor announces of the service. */
export type Announced = Pick<RunningService, 'baseUrl' | 'origin' | 'firstKey'>

/**
 * From the supervisor: serve no further connections, since another process does; stop; end the drain now; read the
 * metrics.
 */
export type ToProcess = 'retire' | 'stop' | 'hurry' | 'readMetrics'

export type FromProcess = { ready: Announced } | { metrics: ReadMetrics | undefined }
