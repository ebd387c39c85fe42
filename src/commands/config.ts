import { parseArgs } from 'node:util'
import { describeConfig, loadConfig } from '../config.ts'

/** Prints the effective settings as lines that a shell could read back. */
export function showConfig(args: readonly string[]): number {
  const { values } = parseArgs({ args: [...args], options: { environment: { type: 'string' } } })
  const { config, warnings } = loadConfig(values)
  for (const warning of warnings) process.stderr.write(`${warning}\n`)
  for (const [name, value] of describeConfig(config)) process.stdout.write(`${name}=${value}\n`)
  return 0
}
