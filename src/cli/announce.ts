import { existsSync } from 'node:fs'
import { firstKeyFileOf } from '../app/first-key.ts'
import type { RunningService } from '../app/service.ts'
import type { Config } from '../config/config.ts'
import { quoted } from './quoted.ts'

/** Prints that the service is ready, and its addresses. */
export function announce(service: RunningService, config: Config, asJson: boolean): void {
  process.stdout.write(asJson ? lineOf(service) : sentencesOf(service, config))
}

/** Omits a key that was written to a file. */
function lineOf({ baseUrl, firstKey }: RunningService): string {
  const key = firstKey?.file === undefined ? firstKey?.key : undefined
  return `${JSON.stringify({ baseUrl, key })}\n`
}

function sentencesOf({ baseUrl, firstKey }: RunningService, config: Config): string {
  const { key, secret } = aboutKey(firstKey, config)
  const lines = [
    `The pet store is open (${config.environment}).`,
    '',
    `Base address  ${baseUrl}`,
    `Reference     ${baseUrl.replace(/\/v1$/, '')}/docs`,
    `Data          ${config.database.name}`,
    `API key       ${key}`,
    '',
    `curl -H "Authorization: Bearer ${secret}" ${baseUrl}/pets`,
  ]
  return ['', ...lines.map((line) => `  ${line}`.trimEnd()), '', ''].join('\n')
}

/** Where a key is, and an expression for it in a command. The key itself is shown only when it is new. */
function aboutKey(firstKey: RunningService['firstKey'], config: Config) {
  const file = firstKey ? firstKey.file : existingFile(firstKeyFileOf(config))
  const secret = file === undefined ? (firstKey?.key ?? 'YOUR_KEY') : `$(cat ${quoted(file)})`
  if (firstKey && file === undefined) {
    return { key: `${firstKey.key}   (shown this once; keep it)`, secret }
  }
  if (firstKey) return { key: `in ${file}   (readable by you alone)`, secret }
  const option = config.environment === 'staging' ? ' --environment staging' : ''
  const another = `another with bin/petstore keys create --name NAME${option}`
  return {
    key: file === undefined ? `you have one; ${another}` : `the first is in ${file}; ${another}`,
    secret,
  }
}

function existingFile(path: string): string | undefined {
  return existsSync(path) ? path : undefined
}
