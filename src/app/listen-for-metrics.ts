import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/is-loopback.ts'
import type { Log } from '../telemetry/log.ts'
import { type Exposition, serveMetrics } from '../telemetry/metrics/serve-metrics.ts'
import { explainListening } from './explain-listening.ts'

export type ServedMetrics = { url: string; close(): void }

/** Serves metrics where the settings say, and returns where that is. Throws `ExitError`. */
export async function listenForMetrics(
  exposition: Exposition,
  address: NonNullable<Config['metricsAddress']>,
  log: Log,
): Promise<ServedMetrics> {
  const onFailure = (err: unknown) => log.error({ err }, 'The metrics could not be read.')
  const served = await serveMetrics(exposition, address, onFailure).catch((error) => {
    throw explainListening(error, {
      ...address,
      setting: 'PETSTORE_METRICS_ADDRESS',
      advice: 'Choose another with PETSTORE_METRICS_ADDRESS.',
    })
  })
  if (!isLoopback(address.host)) {
    log.warn(
      `PETSTORE_METRICS_ADDRESS is ${address.text}, and metrics need no key: let only your Prometheus reach that port.`,
    )
  }
  return served
}
