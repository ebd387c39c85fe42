import type { OnCommit } from '../on-commit.ts'
import type { Storage } from '../storage.ts'

/** How a store is opened for a command. */
export type UseOptions = {
  storage: Storage
  /** Whether a marked store may be read, where it is opened as it is. */
  admitsMarked?: boolean | undefined
  /** Whether this process holds the store alone. */
  isHeld?: boolean | undefined
  /** Whether nothing is written: SQLite leaves the log that an unclean exit left. */
  isReadOnly?: boolean | undefined
  /** Whether a schema that a start refuses or warns of is, where the store is opened as it is. */
  enforcesSchema?: boolean | undefined
  /** Whether `configuration` is thrown where there is no store; else it is created. */
  mustExist?: boolean | undefined
  /** Called before an empty store is created. */
  onCreate?: (() => void) | undefined
  /** Called with warnings for the operator. */
  warn?(sentence: string): void
}

/** `outdated`: whether an outdated schema is upgraded or refused. */
export type CommandOptions = UseOptions & { outdated: 'upgraded' | 'refused' }

/** How a store is opened to serve it. */
export type ServeOptions = UseOptions & {
  /** The module that exports `storage`, for workers. */
  storageUrl: string
  /** The first id of each table but `keys`, unless higher ids were assigned. */
  firstId?: bigint | undefined
  warn(sentence: string): void
  /** How many processes a supervisor has, which share connections to PostgreSQL. */
  processes?: number | undefined
  /** Random bytes, so that processes that lose their database do not all look for it at once. */
  random?(count: number): Uint8Array
  onCommit?: OnCommit | undefined
  /** Called once when the store has failed permanently; the process should exit. */
  onLost(reason: string): void
}
