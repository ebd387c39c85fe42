import { parseArgs } from 'node:util'
import { describeConfig, loadConfig } from '../config/config.ts'
import { quoted } from './quoted.ts'

/** Prints the effective settings as lines that a shell can source. */
export function showConfig(args: readonly string[]): number {
  const { values } = parseArgs({ args: [...args], options: { environment: { type: 'string' } } })
  const { config, warnings } = loadConfig(values)
  for (const warning of warnings) process.stderr.write(`${warning}\n`)
  for (const { name, value, default: standard } of describeConfig(config)) {
    process.stdout.write(
      value === undefined ? `# ${name} is not set: ${standard}\n` : `${name}=${quoted(value)}\n`,
    )
  }
  return 0
}
