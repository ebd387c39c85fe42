import { type Config, loadConfig } from '../../config/config.ts'
import { usageError } from '../../config/exit-error.ts'
import { isInMemory } from '../../db/open.ts'
import { tell } from '../text/print.ts'

/**
 * The settings for a command; tells their warnings. Throws `configuration`; `usage` with this sentence for a store in memory,
 * which no other process can reach.
 */
export function configOf(
  { environment }: { environment?: string | undefined },
  inMemorySentence?: string,
): Config {
  const { config, warnings } = loadConfig({ environment })
  for (const warning of warnings) tell(warning)
  if (inMemorySentence !== undefined && isInMemory(config.database)) {
    throw usageError(inMemorySentence)
  }
  return config
}
