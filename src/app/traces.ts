import { hostname } from 'node:os'
import type { Config } from '../config/config.ts'
import type { TraceSettings } from '../config/trace-settings.ts'
import { systemRandom } from '../context/context.ts'
import { createTraces, type Traces } from '../telemetry/traces/traces.ts'
import { versionOf } from '../version.ts'

/** The traces of a service whose environment names a collector. */
export function openTraces({ environment }: Config, settings: TraceSettings): Traces {
  return createTraces({
    settings,
    random: systemRandom,
    version: versionOf(),
    resource: {
      'service.name': 'petstore',
      'service.version': versionOf(),
      'deployment.environment.name': environment,
      'host.name': hostname(),
      'process.pid': process.pid,
    },
  })
}
