import { isAbsolute, resolve } from 'node:path'
import { describeNewStore } from '../../app/new-store.ts'
import { storage } from '../../app/storage.ts'
import type { Config } from '../../config/config.ts'
import { type Context, systemClock, systemRandom } from '../../context/context.ts'
import { openDbAsItIs, openDbBriefly } from '../../db/open.ts'
import { withOrigin } from '../../db/opening/with-origin.ts'
import { claimDatabase, refuseForeign } from '../../features/environment/claim-database.ts'
import { eventTypes } from '../../features/event-types.ts'
import { scopes } from '../../features/scopes.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { tell } from '../text/print.ts'
import { configOf } from './config-of.ts'

type StoreRequest = {
  /** The error where the store is in memory: another process cannot reach it. */
  inMemorySentence: string
  /** `use` upgrades and claims the store, `fill` also creates it; `verify` takes it as it is, `repair` also writes. */
  purpose?: keyof typeof purposes
}

const purposes = {
  use: { open: openDbBriefly, settleOwner: claimDatabase, admits: { mustExist: true } },
  fill: { open: openDbBriefly, settleOwner: claimDatabase, admits: {} },
  verify: {
    open: openDbAsItIs,
    settleOwner: refuseForeign,
    admits: { admitsMarked: true, isReadOnly: true },
  },
  repair: { open: openDbAsItIs, settleOwner: refuseForeign, admits: {} },
}

/**
 * Runs one command on the store of the settings, beside a running service or without one; the log of changes has its name.
 * Throws `ExitError`, `OpenError`.
 */
export async function withStore(
  { command, environment }: FlagsOf<never>,
  { inMemorySentence, purpose = 'use' }: StoreRequest,
  work: (context: Context, config: Config) => Promise<void>,
): Promise<number> {
  const config = configOf({ environment }, inMemorySentence)
  const { database } = config
  const { open, settleOwner, admits } = purposes[purpose]
  const db = await open(database, {
    storage,
    ...admits,
    onCreate() {
      // Where the current folder decides, a command that was meant for another store would go unnoticed.
      const isElsewhere = database.engine === 'postgres' || isAbsolute(database.path)
      const ofFolder = isElsewhere ? '' : `There was no store; created ${resolve(database.path)}.`
      const sentence = describeNewStore(config) ?? ofFolder
      if (sentence !== '') tell(sentence)
    },
    warn: tell,
  })
  try {
    await settleOwner(db, database.name, config.environment)
    const { environment } = config
    const own = withOrigin(db, { type: 'command', name: command }, systemClock)
    const sources = { clock: systemClock, random: systemRandom }
    await work({ db: own, ...sources, environment, scopes, eventTypes }, config)
    return 0
  } finally {
    await db.close()
  }
}
