import type pg from 'pg'
import { damagedError, explaining, OpenError } from '../errors.ts'
import { readAddress } from './address.ts'
import { ConnectionFailure, connectionAfter, rightIsMissing, stateOf } from './failures.ts'
import { connectToPrimary } from './find-primary.ts'
import { enforceSettings, findSettingIssues } from './migrate.ts'
import { holdStore } from './store-lock.ts'

export type Database = { text: string; name: string }

/** Connects to a database without timeouts. The client stays open unless `begin` throws. Throws OpenError. */
export async function openClient<T>(
  { text, name }: Database,
  begin: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { client } = await connectToPrimary(readAddress(text))
  try {
    return await begin(client)
  } catch (error) {
    await client.end()
    throw explainCopying(name, error)
  }
}

/**
 * As `openClient`, while no service and no other command uses the store. Throws `configuration` for a server that would lose
 * what is written.
 */
export function openAlone<T>(
  database: Database,
  begin: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return openClient(database, async (client) => {
    enforceSettings(await findSettingIssues(client), database.name, () => undefined)
    await holdStore(client, database.name)
    return begin(client)
  })
}

/** Maps a failure of a copy to an OpenError with one sentence; the transaction is rolled back. */
export function explainCopying(name: string, error: unknown): Error {
  if (error instanceof OpenError) return error
  const reason = reasonOf(error instanceof ConnectionFailure ? error.cause : error)
  const state = stateOf(error)
  if (state === rightIsMissing)
    return new OpenError('noPermission', `${name} refuses this role: ${reason}.`, error)
  if (state?.startsWith('23')) return damagedError(`A row breaks a constraint: ${reason}.`, error)
  if (state?.startsWith('53'))
    return new OpenError('ioError', `${name} has no room left: ${reason}.`, error)
  if (isConnectionLost(error) || connectionAfter(error) !== 'good')
    return new OpenError('ioError', `The connection to ${name} failed: ${reason}.`, error)
  return error instanceof Error ? error : new Error(reason)
}

/** Throws what `explainCopying` makes of an error of the work. */
export function explained<T>(name: string, work: () => Promise<T> | T): Promise<T> {
  return explaining(work, (error) => explainCopying(name, error))
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}

/** Whether it is the error of Node, or of `pg`, for a connection that has ended. */
function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || stateOf(error) !== undefined) return false
  const hasNodeCode = 'code' in error && /^E[A-Z]+$/.test(String(error.code))
  return hasNodeCode || /^(?:Connection terminated|Client has encountered)/.test(error.message)
}
