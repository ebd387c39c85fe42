import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { DatabaseAddress } from '../db/open.ts'
import { didYouMean } from '../nearest-name.ts'
import { clientVariables } from './client-environment.ts'
import { withoutPassword } from './database-address.ts'
import { ExitError, type ExitReason } from './exit-error.ts'
import type { Setting } from './read-setting.ts'
import { type Environment, settings } from './settings.ts'
import { readTraceSettings, type TraceSettings } from './trace-settings.ts'

type Settings = typeof settings
type SettingKey = keyof Settings

/** The settings that are set, parsed and checked. `loadConfig` adds the defaults of the others. */
type Given = { [K in SettingKey]?: ReturnType<Settings[K]['read']> }

/** All settings; those without a default may be absent. */
export type Config = Readonly<
  ReturnType<typeof withDefaults> & { traces?: TraceSettings | undefined }
>

/**
 * Reads the settings from the environment. `overrides` come from the command line and win.
 * Throws all problems at once: `usage` where one of them is of the command line, else `configuration`.
 */
export function loadConfig(
  overrides: Partial<Record<SettingKey, string | undefined>> = {},
  environment: NodeJS.ProcessEnv = process.env,
): { config: Config; warnings: readonly string[] } {
  const given: Record<string, unknown> = {}
  const problems: string[] = []
  let reason: ExitReason = 'configuration'
  for (const [key, setting] of Object.entries(settings) as [SettingKey, Setting<unknown>][]) {
    const text = overrides[key] ?? environment[setting.name]
    if (text === undefined) continue
    try {
      given[key] = setting.read(text)
    } catch (error) {
      const isOption = overrides[key] !== undefined
      if (isOption) reason = 'usage'
      const name = isOption ? `--${key}` : setting.name
      problems.push(describeProblem(name, text, setting, error))
    }
  }
  const { traces, warnings: ofTraces } = readTraceSettings(environment)
  const warnings = [...warningsAbout(environment), ...ofTraces]
  if (problems.length > 0) throw new ExitError(reason, [...problems, ...warnings].join('\n'))
  return { config: Object.freeze({ ...withDefaults(given as Given), traces }), warnings }
}

function describeProblem(
  name: string,
  text: string,
  { mayHoldPassword }: Setting<unknown>,
  error: unknown,
): string {
  const isHarmless = mayHoldPassword ? !/[:@%=?#]/.test(text) : !/@|%40|password/i.test(text)
  const shown = JSON.stringify(isHarmless ? text : schemeOf(text))
  const sentence = `${name} is ${shown}; it must be ${(error as Error).message}.`
  return sentence.replace(/\?\.$/, '?')
}

/** The scheme alone: where the password starts in an address that cannot be parsed is unknown. */
function schemeOf(text: string): string {
  return `${/^[A-Za-z][A-Za-z\d+.-]*:/.exec(text)?.[0] ?? ''}…`
}

/** The environment of a child process, with these settings and no others. */
export function environmentWith(own: Record<string, string>): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('PETSTORE_'))
  return { ...Object.fromEntries(others), ...own }
}

/** What npm, and what it starts, need: no setting, no address of a database, no password. */
const ofBuilds =
  /^(?:path|home|userprofile|appdata|localappdata|systemroot|comspec|pathext|tmpdir|te?mp|(?:https?|no|all)_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir)|npm_(?:config_.*|execpath|node_execpath))$/i

/** The environment of a process that installs packages and builds. */
export function environmentOfBuild(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => ofBuilds.test(name)))
}

/** A supervisor gives each of its processes a number, as a text. */
const numberVariable = 'PETSTORE_PROCESS_NUMBER'

/** The number that a supervisor gave this process. */
export function processNumber(): string | undefined {
  return process.env[numberVariable]
}

/** The environment of a process that has this number. */
export function environmentOfProcess(number: number): NodeJS.ProcessEnv {
  return { ...process.env, [numberVariable]: String(number) }
}

/** Whether `node --test` started this process. */
export function isBelowNodeTest(): boolean {
  return process.env.NODE_TEST_CONTEXT !== undefined
}

function withDefaults(given: Given) {
  const environment: Environment = given.environment ?? 'production'
  const isProduction = environment === 'production'
  const isForgotten = given.database?.name === ':memory:'
  // A store in memory has no sibling; that of a service with a public address is not on this machine.
  const hasSibling = !isForgotten && given.publicUrl === undefined
  const { connectionsMax = 1_000 } = given
  const database: DatabaseAddress = given.database ?? {
    engine: 'sqlite',
    path: `data/${environment}.db`,
    name: `data/${environment}.db`,
  }
  const siblingUrl = `http://127.0.0.1:${isProduction ? 8081 : 8080}/v1`
  return {
    environment,
    host: '127.0.0.1',
    port: isProduction ? 8080 : 8081,
    database,
    ...(hasSibling ? { siblingUrl } : {}),
    logLevel: 'info',
    // What uses such a store shows its own requests.
    accessLog: isForgotten ? 'errors' : 'on',
    slowRequestMs: isForgotten ? 0 : 1_000,
    corsOrigins: [],
    console: 'on',
    headersTimeoutMs: 10_000,
    requestTimeoutMs: 30_000,
    responseTimeoutMs: 30_000,
    connectionsMax,
    streamsMax: Math.max(1, Math.floor(connectionsMax / 2)),
    // Tests stop stores often while they hold idle connections.
    drainMs: isForgotten ? 0 : 500,
    idempotencyKeysMax: 1_000_000,
    idempotencyBytesMax: 2 ** 30,
    idempotencyKeysTotalMax: 4_000_000,
    idempotencyBytesTotalMax: 4 * 2 ** 30,
    eventsKeepDays: 30,
    eventsMax: 10_000_000,
    deliveriesMax: 1_000_000,
    webhookHosts: isForgotten ? ['127.0.0.0/8', '::1/128'] : [],
    spoolDirectory: isForgotten || database.engine !== 'sqlite' ? tmpdir() : dirname(database.path),
    spoolMaxBytes: 4 * 2 ** 30,
    ...given,
  } as const
}

/** Kubernetes sets these for a Service called petstore. */
const kubernetesNames = /^PETSTORE_(?:SERVICE_HOST$|SERVICE_PORT|PORT_\d)/

function warningsAbout(environment: NodeJS.ProcessEnv): string[] {
  const names = Object.values(settings).map(({ name }) => name as string)
  const known = [...names, ...clientVariables, numberVariable]
  return Object.keys(environment)
    .filter(
      (name) =>
        name.startsWith('PETSTORE_') && !known.includes(name) && !kubernetesNames.test(name),
    )
    .map((name) => `${name} is not a setting${didYouMean(name, known)}`)
}

/** The effective configuration, passwords masked; `undefined` where a setting is unset and has no default. */
export function describeConfig(config: Config) {
  return (Object.keys(settings) as SettingKey[]).map((key) => {
    const { name, default: standard } = settings[key]
    return { name, value: textOf(config[key]), default: standard }
  })
}

function textOf(value: Config[SettingKey]): string | undefined {
  if (value === undefined) return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(',')
  if (typeof value === 'object' && 'port' in value) return value.text
  return typeof value === 'object' && 'engine' in value
    ? value.engine === 'sqlite'
      ? `sqlite:${value.path}`
      : withoutPassword(value.text)
    : String(value)
}
