import type { Config } from '../../config/config.ts'
import type { Clock, Random } from '../../context/context.ts'
import type { Storage } from '../../db/storage.ts'
import type { Finding } from './finding.ts'

/** What is examined. */
export type Subject = {
  config: Config
  /** The warnings of the settings. */
  warnings: readonly string[]
  storage: Storage
  /** The path of the file with the first key. */
  firstKeyFile: string
  versions: { petstore: string; node: string; sqlite: string | undefined }
  clock: Clock
  random: Random
}

type Check = () => Promise<readonly Finding[]> | readonly Finding[]

/** A group of checks, which may rely on those of the groups before. */
export type NamedChecks = readonly [name: string, check: Check]
