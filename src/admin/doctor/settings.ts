import type { Config } from '../../config/config.ts'
import { isInMemory } from '../../db/open.ts'
import { error, type Finding, ok, warning } from './finding.ts'

type SettingsFacts = { config: Config; warnings: readonly string[] }

/** Settings that are valid, and yet unlikely to be meant. */
export function checkSettings({ config, warnings }: SettingsFacts): Finding[] {
  const isProduction = config.environment === 'production'
  const suspicious = isProduction
    ? [checkMemory, checkHost, checkPublicUrl, checkOrigins].flatMap((check) => check(config))
    : []
  const { environment, host, port } = config
  return [
    ok('environment', `This is ${environment}; a start listens on ${host}, port ${port}.`),
    ...warnings.map((sentence) => warning('names', `${sentence} Correct or remove it.`)),
    ...suspicious,
    ...checkLog(config),
  ]
}

function checkMemory({ database }: Config): Finding[] {
  if (!isInMemory(database)) return []
  return [
    error(
      'database',
      'The production store is in memory: all data is gone when the service stops. Set PETSTORE_DATABASE to a file or to PostgreSQL.',
    ),
  ]
}

function checkHost({ host, publicUrl }: Config): Finding[] {
  if (isLoopback(host) || publicUrl !== undefined) return []
  return [
    warning(
      'publicUrl',
      `The service listens on ${host} without TLS, and PETSTORE_PUBLIC_URL is not set: links have the host of the request, with http. Put a proxy with TLS in front, and set PETSTORE_PUBLIC_URL to its address.`,
    ),
  ]
}

function checkPublicUrl({ publicUrl }: Config): Finding[] {
  if (publicUrl === undefined) return []
  const { protocol, hostname } = new URL(publicUrl)
  if (protocol === 'https:' || isLoopback(hostname)) return []
  return [
    warning(
      'publicUrl',
      `PETSTORE_PUBLIC_URL is ${publicUrl}: clients send their keys without TLS. Put a proxy with TLS in front, and set its https address.`,
    ),
  ]
}

function checkOrigins({ corsOrigins }: Config): Finding[] {
  if (!corsOrigins.includes('*')) return []
  return [
    warning(
      'corsOrigins',
      'PETSTORE_CORS_ORIGINS is *: pages of every origin may use the interface. Name the origins that you trust.',
    ),
  ]
}

function checkLog({ logLevel }: Config): Finding[] {
  if (logLevel !== 'silent' && logLevel !== 'fatal') return []
  return [
    warning(
      'logLevel',
      `PETSTORE_LOG_LEVEL is ${logLevel}: failures leave no line in the log. Set it to error, or to info.`,
    ),
  ]
}

/** Whether an address leads to this machine alone. A folder is that of a socket. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|\/.*)$/.test(host)
}
