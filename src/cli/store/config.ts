import { describeConfig } from '../../config/config.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { printJson } from '../text/print.ts'
import { quoted } from '../text/quoted.ts'
import { configOf } from './config-of.ts'

/** Prints the effective settings as lines that a shell can source, or as one JSON object. */
export function showConfig({ json, environment }: FlagsOf<'json'>): number {
  const config = configOf({ environment })
  const settings = describeConfig(config)
  if (json) {
    const values = settings.map(({ name, value }) => [name, value ?? null])
    printJson(Object.fromEntries(values))
    return 0
  }
  for (const { name, value, default: standard } of settings) {
    process.stdout.write(
      value === undefined ? `# ${name} is not set: ${standard}\n` : `${name}=${quoted(value)}\n`,
    )
  }
  return 0
}
