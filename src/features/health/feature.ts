import { implement } from '../../http/implement.ts'
import { getLivenessOperation, getReadinessOperation } from './contract.ts'
import { getReadiness } from './get-readiness.ts'

/** Whether the process runs, and whether it takes requests. */
export const operations = [
  implement(getLivenessOperation, async () => ({ status: 'live' }) as const),
  implement(getReadinessOperation, getReadiness),
]
