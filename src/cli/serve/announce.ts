import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { styleText } from 'node:util'
import { firstKeyFileOf } from '../../app/first-key.ts'
import type { RunningService } from '../../app/service.ts'
import type { Config } from '../../config/config.ts'
import { isInMemory } from '../../db/open.ts'
import { lineStart } from '../../telemetry/log.ts'
import type { LogOutput } from '../../telemetry/log-output.ts'
import { quoted } from '../text/quoted.ts'

const widthMax = 80

/** What is announced of a service. */
type Announced = Pick<RunningService, 'baseUrl' | 'origin' | 'firstKey' | 'metricsUrl' | 'log'>

/**
 * Says that the service is ready: to a program one line on standard output, to a person at a terminal a banner, else a
 * line of the log.
 */
export function announce(
  service: Announced,
  config: Config,
  { asJson, output }: { asJson: boolean; output: LogOutput },
): void {
  if (asJson) process.stdout.write(lineFor(service))
  if (!asJson && process.stdout.isTTY) process.stdout.write(banner(service, config))
  else if (service.log.isLevelEnabled('info')) output.write(logLine(service, config, asJson))
}

/** Omits a key that was written to a file. */
function lineFor(service: Announced): string {
  return `${JSON.stringify({ baseUrl: service.baseUrl, key: shownKey(service) })}\n`
}

/** A key that is in no file: with `--json`, on a terminal, and of a store in memory. */
function shownKey({ firstKey }: Announced): string | undefined {
  return firstKey?.file === undefined ? firstKey?.key : undefined
}

/** Has the key of a store in memory, which nobody could learn otherwise; it dies with the store. */
function logLine(service: Announced, config: Config, asJson: boolean): string {
  const { origin, baseUrl, metricsUrl } = service
  const members = {
    environment: config.environment,
    listening: origin,
    baseUrl,
    processes: config.processes,
    metrics: metricsUrl,
    database: nameOf(config),
    firstKeyFile: keyFile(service, config),
    key: asJson || !isInMemory(config.database) ? undefined : shownKey(service),
    msg: 'The pet store is open.',
  }
  return `${lineStart(30)},${JSON.stringify(members).slice(1)}\n`
}

function banner(service: Announced, config: Config): string {
  const { baseUrl, origin, metricsUrl } = service
  const isStaging = config.environment === 'staging'
  const title = isStaging
    ? styleText(['black', 'bgYellow'], 'The pet store is open: STAGING.')
    : styleText(['bold', 'green'], 'The pet store is open: production.')
  const rows = {
    'Base address': styleText('cyan', baseUrl),
    Reference: styleText('cyan', `${origin}/docs`),
    ...(config.console === 'on' ? { Console: styleText('cyan', `${origin}/console/`) } : {}),
    ...(metricsUrl === undefined ? {} : { Metrics: styleText('cyan', metricsUrl) }),
    Data: isInMemory(config.database) ? 'in memory, gone when it stops' : nameOf(config),
    ...(config.processes === undefined ? {} : { Processes: `${config.processes}` }),
    ...aboutKey(service, config),
    Stop: 'Ctrl+C',
  }
  const lines = [
    title,
    '',
    ...Object.entries(rows).map(
      ([name, value]) => `${styleText('dim', name.padEnd(12))}  ${value}`,
    ),
    '',
    ...tryLines(service, config),
  ]
  return ['', ...lines.map((line) => `  ${line}`.trimEnd()), '', ''].join('\n')
}

/** Where a key is. The key itself is shown only when it is new. */
function aboutKey(service: Announced, config: Config): Record<string, string> {
  const key = shownKey(service)
  if (key !== undefined) return { 'API key': `${key}, shown this once` }
  const file = keyFile(service, config)
  if (file !== undefined) return { 'API key': `in ${file}` }
  const environment = config.environment === 'staging' ? ' --environment staging' : ''
  return {
    'API key': 'you have one',
    'Another key': `bin/petstore keys create --name NAME${environment}`,
  }
}

/** Where the data is, as a whole path: npm runs scripts in another folder than the one of the terminal. */
function nameOf({ database }: Config): string {
  return database.engine === 'sqlite' && !isInMemory(database)
    ? resolve(database.path)
    : database.name
}

function keyFile({ firstKey }: Announced, config: Config): string | undefined {
  if (firstKey) return firstKey.file && resolve(firstKey.file)
  const file = resolve(firstKeyFileOf(config))
  return existsSync(file) ? file : undefined
}

/** Commands to paste. */
function tryLines(service: Announced, config: Config): string[] {
  const file = keyFile(service, config)
  const key = file === undefined ? (shownKey(service) ?? 'YOUR_KEY') : `$(cat ${quoted(file)})`
  const command = 'curl -H "Authorization: Bearer $key"'
  const url = `${service.baseUrl}/pets`
  const isShort = command.length + url.length + 3 <= widthMax
  return [`key=${key}`, ...(isShort ? [`${command} ${url}`] : [`${command} \\`, `  ${url}`])]
}
