import type { Config } from '../config.ts'
import type { RunningService } from '../service.ts'

/** Says on standard output that the service is ready, and where everything is. */
export function announce(
  { baseUrl, firstKey }: RunningService,
  config: Config,
  asJson: boolean,
): void {
  if (asJson) {
    const key = firstKey?.file === undefined ? firstKey?.key : undefined
    process.stdout.write(`${JSON.stringify({ baseUrl, key })}\n`)
    return
  }
  const keysCommand = `npm run --silent petstore -- keys create --name NAME${config.environment === 'staging' ? ' --environment staging' : ''}`
  const origin = baseUrl.replace(/\/v1$/, '')
  const secret =
    firstKey?.file === undefined ? (firstKey?.key ?? 'YOUR_KEY') : `$(cat ${firstKey.file})`
  const keyLine = firstKey
    ? firstKey.file === undefined
      ? `${firstKey.key}   (shown this once; keep it)`
      : `in ${firstKey.file}   (readable by you alone)`
    : `you have one; another with ${keysCommand}`
  process.stdout.write(
    [
      '',
      `  The pet store is open (${config.environment}).`,
      '',
      `  Base address  ${baseUrl}`,
      `  Reference     ${origin}/docs`,
      `  Data          ${config.database.path}`,
      `  API key       ${keyLine}`,
      '',
      `  curl -H "Authorization: Bearer ${secret}" ${baseUrl}/pets`,
      '',
      '',
    ].join('\n'),
  )
}
