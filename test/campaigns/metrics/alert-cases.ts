/** Series in the notation of `promtool test rules`, a value for each minute. */
type Series = Readonly<Record<string, string>>

/** How long the rehearsals go on: the longest alert waits for an hour. */
export const rehearsedMinutes = 75
const n = rehearsedMinutes

const of = (instance: string) => `job="petstore",instance="${instance}"`
/** A histogram: what is counted each minute up to each bound, as `0.01=900 +Inf=1000`. */
const bucket = (name: string, bounds: string): Series =>
  Object.fromEntries(
    bounds.split(' ').map((bound) => {
      const [le, perMinute] = bound.split('=')
      return [`petstore_${name}_bucket{${of('a')},le="${le}"}`, `0+${perMinute}x${n}`]
    }),
  )
const requests = (status: string) =>
  `petstore_http_requests_total{${of('a')},operation="getPet",status="${status}"}`
const gauge = (name: string, value: string): Series => ({ [`${name}{${of('a')}}`]: value })

const webhooks = (outcome: string) =>
  `petstore_webhook_deliveries_total{${of('a')},outcome="${outcome}"}`

/** Ordinary work: some requests are refused, one in 400 fails, and short bursts wait. */
export const ordinary: Series = {
  [`up{${of('a')}}`]: `1x${n}`,
  [requests('2xx')]: `0+3600x${n}`,
  [requests('4xx')]: `0+390x${n}`,
  [requests('5xx')]: `0+10x${n}`,
  ...bucket('http_request_duration_seconds', '0.01=3000 0.1=3995 1=4000 10=4000 +Inf=4000'),
  ...bucket('commit_duration_seconds', '0.01=900 0.1=998 0.25=1000 10=1000 +Inf=1000'),
  ...bucket('feed_delay_seconds', '0.05=600 0.1=999 1=1000 10=1000 +Inf=1000'),
  [`petstore_feed_delay_seconds_count{${of('a')}}`]: `0+1000x${n}`,
  [`petstore_changes_total{${of('a')},type="pet.created"}`]: `0+1000x${n}`,
  [`petstore_queue_oldest_seconds{${of('a')},queue="writes"}`]: `0.01x20 0.6 0.01x${n - 21}`,
  [`petstore_queue_length{${of('a')},queue="connections"}`]: `0x20 7 0x${n - 21}`,
  ...gauge('nodejs_eventloop_lag_p99_seconds', `0.012x30 0.5 0.3 0.012x${n - 32}`),
  ...gauge('petstore_http_connections', `40x10 940 40x${n - 11}`),
  ...gauge('petstore_http_connections_max', `1000x${n}`),
  ...gauge('petstore_streams', `20x${n}`),
  ...gauge('petstore_streams_max', `500x${n}`),
  [webhooks('succeeded')]: `0+100x${n}`,
  [webhooks('retried')]: `0+3x${n}`,
  [webhooks('failed')]: `0x${n}`,
  ...gauge('petstore_webhook_oldest_due_seconds', `0x30 40 0x${n - 31}`),
  ...gauge('petstore_disk_free_bytes', `50e9-10e6x${n}`),
  ...gauge('petstore_database_size_bytes', `1e9+10e6x${n}`),
  ...gauge('petstore_database_log_size_bytes', `4e6x40 300e6x5 4e6x${n - 46}`),
  // A day ago, as the rehearsal begins at 0.
  ...gauge('petstore_last_backup_timestamp_seconds', `-86400x${n}`),
  ...gauge('process_start_time_seconds', `0x40 2400x${n - 41}`),
  [`petstore_build_info{${of('a')},version="1.1.0"}`]: `1x${n}`,
  [`petstore_build_info{${of('b')},version="1.0.0"}`]: `1x20`,
  [`petstore_build_info{${of('c')},version="1.1.0"}`]: `_x20 1x${n - 21}`,
}

/** By alert, what its cause does to the series of ordinary work. Nothing else may fire. */
export const causes: Readonly<Record<string, Series>> = {
  PetstoreDown: { [`up{${of('a')}}`]: `0x${n}` },
  PetstoreErrors: { [requests('5xx')]: `0+60x${n}` },
  PetstoreSlow: bucket(
    'http_request_duration_seconds',
    '0.01=3000 0.1=3900 1=3950 10=4000 +Inf=4000',
  ),
  PetstoreCommitsSlow: bucket(
    'commit_duration_seconds',
    '0.01=0 0.1=100 0.25=800 10=1000 +Inf=1000',
  ),
  PetstoreWritesWait: { [`petstore_queue_oldest_seconds{${of('a')},queue="writes"}`]: `0+60x${n}` },
  PetstorePostgresPoolExhausted: {
    [`petstore_queue_length{${of('a')},queue="connections"}`]: `3x${n}`,
  },
  PetstoreEventLoopDelayed: gauge('nodejs_eventloop_lag_p99_seconds', `0.3x${n}`),
  PetstoreConnectionsNearMaximum: gauge('petstore_http_connections', `950x${n}`),
  PetstoreStreamsNearMaximum: gauge('petstore_streams', `460x${n}`),
  PetstoreFeedDelayed: bucket('feed_delay_seconds', '0.05=0 0.1=10 1=20 10=1000 +Inf=1000'),
  PetstoreFeedStalled: {
    [`petstore_feed_delay_seconds_count{${of('a')}}`]: `0+1000x30 30000x${n - 31}`,
  },
  PetstoreWebhooksLate: gauge('petstore_webhook_oldest_due_seconds', `0+60x${n}`),
  PetstoreWebhooksGivenUp: { [webhooks('failed')]: `0x60 2x${n - 61}` },
  PetstoreDiskNearlyFull: gauge('petstore_disk_free_bytes', `0.9e9x${n}`),
  PetstoreLogGrows: gauge('petstore_database_log_size_bytes', `4e6+10e6x${n}`),
  PetstoreBackupOld: gauge('petstore_last_backup_timestamp_seconds', `-200000x${n}`),
  PetstoreRestarts: gauge('process_start_time_seconds', `0+60x${n}`),
  PetstoreVersionsDiffer: { [`petstore_build_info{${of('b')},version="1.0.0"}`]: `1x${n}` },
}
