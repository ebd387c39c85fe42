import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { describeNewStore } from '../app/new-store.ts'
import { storage } from '../app/storage.ts'
import { type Config, loadConfig } from '../config/config.ts'
import { ExitError } from '../config/exit-error.ts'
import { type Context, systemClock, systemRandom } from '../context/context.ts'
import { isInMemory, openDbAsItIs, openDbBriefly } from '../db/open.ts'
import { claimDatabase, refuseForeign } from '../features/environment/claim-database.ts'

type StoreRequest = {
  /** The option `--environment`; absent, the settings decide. */
  environment: string | undefined
  /** The error where the store is in memory: another process cannot reach it. */
  inMemorySentence: string
  /** `use` creates, upgrades and claims the store where needed; `verify` takes it as it is, `repair` also writes. */
  purpose?: 'use' | 'verify' | 'repair'
  /** Whether a store may be created at a path relative to the current folder, which may be the wrong folder. */
  createsHere?: boolean
}

const purposes = {
  use: { open: openDbBriefly, settleOwner: claimDatabase, admitsMarked: false },
  verify: { open: openDbAsItIs, settleOwner: refuseForeign, admitsMarked: true },
  repair: { open: openDbAsItIs, settleOwner: refuseForeign, admitsMarked: false },
}

/**
 * Runs one command on the store of the settings, beside a running service or without one. Throws `ExitError`,
 * `OpenError`.
 */
export async function withStore(
  { environment, inMemorySentence, purpose = 'use', createsHere = true }: StoreRequest,
  work: (context: Context, config: Config) => Promise<void>,
): Promise<number> {
  const { config, warnings } = loadConfig(environment === undefined ? {} : { environment })
  for (const warning of warnings) process.stderr.write(`${warning}\n`)
  if (isInMemory(config.database)) throw new ExitError('usage', inMemorySentence)
  const { open, settleOwner, admitsMarked } = purposes[purpose]
  const created = missingFile(config)
  if (created !== undefined && !createsHere) {
    throw new ExitError(
      'configuration',
      `There is no store at ${created}, and none was created. Run the command in the folder of the store, or name the store in PETSTORE_DATABASE; petstore serve makes one.`,
    )
  }
  let newStore: string | undefined
  const db = await open(config.database, {
    storage,
    admitsMarked,
    onCreate(others) {
      newStore = describeNewStore(config, others)
      if (newStore !== undefined) process.stderr.write(`${newStore}\n`)
    },
    warn: (sentence) => process.stderr.write(`${sentence}\n`),
  })
  try {
    await settleOwner(db, config.database.name, config.environment)
    if (created !== undefined && newStore === undefined)
      process.stderr.write(`There was no store; created ${created}.\n`)
    await work({ db, clock: systemClock, random: systemRandom }, config)
    return 0
  } finally {
    await db.close()
  }
}

/**
 * The absolute path of a database that does not exist yet, where its name depends on the current folder: a command that
 * was meant for a store elsewhere would go unnoticed.
 */
function missingFile({ database }: Config): string | undefined {
  if (database.engine !== 'sqlite' || isAbsolute(database.path)) return undefined
  return existsSync(database.path) ? undefined : resolve(database.path)
}
