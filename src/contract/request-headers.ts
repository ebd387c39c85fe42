/** The request headers that operations take as parameters. Pages of other origins may send them. */
export const parameterHeaders = [
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Prefer',
  'Range',
  'X-Request-Id',
] as const

export type ParameterHeader = (typeof parameterHeaders)[number]
