import { resolve } from 'node:path'
import type { Environment } from '../../config/settings.ts'
import type { Context } from '../../context/context.ts'
import { filesStorage, schemaStorage } from '../../db/checks/storage.ts'
import { closing } from '../../db/closing.ts'
import {
  copyStore,
  type Digests,
  differences,
  digestStore,
  rowsIn,
} from '../../db/copying/copy-store.ts'
import type { HeldSource, HeldTarget } from '../../db/copying/copying.ts'
import { holdSource, holdTarget, openStoreReader } from '../../db/doors/open.ts'
import { copiedTables } from '../../db/doors/tables-at.ts'
import { configurationError, damagedError } from '../../db/errors.ts'
import { type DatabaseAddress, openDbAsItIs } from '../../db/open.ts'
import type { Storage } from '../../db/storage.ts'
import { requireUnmarked, type TransferMark } from '../../db/transfer-mark.ts'
import { refuseForeign } from '../../features/environment/claim-database.ts'
import type { OnProgress } from '../progress.ts'
import { type Result, verifyHeld } from '../verify/verify-store.ts'

type TransferRequest = {
  from: DatabaseAddress
  to: DatabaseAddress
  environment: Environment
}

type TransferContext = Pick<Context, 'clock' | 'random'> & { storage: Storage }

/** A part of a transfer. */
export type Step = { name: 'check' | 'copy' | 'compare'; store: string }

/** Receives the progress and the warnings of a transfer. */
export type Watch = {
  /** Returns the function that ends the step; it takes the number of rows that were read. */
  onStep(step: Step): (rows?: number) => void
  /** Called with the progress of the step that reads rows. */
  onProgress: OnProgress
  warn(sentence: string): void
}

/** A store has findings of `petstore verify`, so it is not transferred. */
export class UnsoundStore extends Error {
  override name = 'UnsoundStore'
  readonly store: string
  readonly results: readonly Result[]

  constructor(store: string, results: readonly Result[]) {
    super(`${store} has findings.`)
    this.store = store
    this.results = results
  }
}

/**
 * Moves the contents of a store to a place without one: all rows, the next ids, and nothing about the place. No process
 * serves either of them meanwhile. At every moment at most one of the two can be served; an interrupted transfer leaves
 * the source as it was, or one that the same transfer completes. Returns the digests of the tables. Throws OpenError,
 * `UnsoundStore`.
 */
export async function transferStore(
  context: TransferContext,
  request: TransferRequest,
  watch: Watch,
): Promise<Digests> {
  const { storage } = context
  const { from, to, environment } = request
  await using source = closing(await holdSource(from, storage.tables))
  await requireEnvironment(storage, from, environment, watch)
  const held = await holdTarget(to, storage).catch((error) => {
    // A mark on the source explains more than the store at its destination.
    requireUnmarked(source.mark, from.name)
    throw error
  })
  await using target = closing(held)
  return await moveHeld(context, request, { source, target }, watch)
}

/** Lets a store be served again that was transferred; returns the name of the other one. Throws OpenError. */
export async function takeBackStore(storage: Storage, database: DatabaseAddress): Promise<string> {
  await using source = closing(await holdSource(database, storage.tables))
  const { mark } = source
  if (mark?.state === 'arriving') requireUnmarked(mark, database.name)
  if (mark === undefined) {
    throw configurationError(`${database.name} was not transferred: it may be served.`)
  }
  await source.setMark(undefined)
  return mark.peer
}

type Held = { source: HeldSource; target: HeldTarget }

async function moveHeld(
  context: TransferContext,
  { from, to }: TransferRequest,
  { source, target }: Held,
  watch: Watch,
): Promise<Digests> {
  const { storage, clock, random } = context
  const hasLeft = source.mark !== undefined && source.mark.transfer === target.mark?.transfer
  if (!hasLeft) requireUnmarked(source.mark, from.name)
  const transfer = Buffer.from(random(16)).toString('hex')
  const mark = { transfer, markedAt: clock() }
  const arriving: TransferMark = { ...mark, state: 'arriving', peer: placeOf(from) }
  const digests = hasLeft
    ? await readRows({ name: 'compare', store: from.name }, watch, () =>
        digestStore(source, copiedTables(storage), watch.onProgress),
      )
    : await copySound(storage, { source, target }, from, arriving, watch)
  const remedy = 'The source was not changed; transfer it again.'
  await readRows({ name: 'compare', store: to.name }, watch, () =>
    requireEqual({ storage, copy: to, remedy }, digests, watch.onProgress),
  )
  await requireSound(storage, to, watch)
  await target.requireHeld()
  // In this order: at no moment both can be served.
  if (!hasLeft) await source.setMark({ ...mark, state: 'left', peer: placeOf(to) })
  await target.release()
  return digests
}

/** How the other store names this one, from whatever folder. */
function placeOf(database: DatabaseAddress): string {
  return database.engine === 'sqlite' ? resolve(database.path) : database.name
}

async function requireEnvironment(
  storage: Storage,
  database: DatabaseAddress,
  environment: Environment,
  { warn }: Watch,
) {
  const options = { storage, admitsMarked: true, isHeld: true, warn }
  await using db = closing(await openDbAsItIs(database, options))
  await refuseForeign(db, database.name, environment)
}

/** Fills the target with a store whose files and schema are intact; its rows are verified in the copy, which has the same. */
async function copySound(
  storage: Storage,
  { source, target }: Held,
  from: DatabaseAddress,
  mark: TransferMark,
  watch: Watch,
): Promise<Digests> {
  const checks = [...filesStorage.checks, ...schemaStorage.checks]
  await requireSound({ ...storage, checks }, from, watch)
  return readRows({ name: 'copy', store: from.name }, watch, () =>
    copyStore(target.fill(mark), source, copiedTables(storage), watch.onProgress),
  )
}

/** Reads every row of a copy again. Throws `damaged` with this remedy where its digests, which it returns, are others. */
export async function requireEqual(
  { storage, copy, remedy }: { storage: Storage; copy: DatabaseAddress; remedy: string },
  copied: Digests,
  onProgress: OnProgress,
): Promise<Digests> {
  await using reader = closing(await openStoreReader(copy))
  const found = await digestStore(reader, copiedTables(storage), onProgress)
  const different = differences(copied, found)
  if (different.length === 0) return found
  const names = different.join(', ')
  throw damagedError(`What ${copy.name} has of ${names} differs from what was copied. ${remedy}`)
}

/** Runs a step that reads rows, and reports how many. */
async function readRows(
  step: Step,
  { onStep }: Watch,
  work: () => Promise<Digests>,
): Promise<Digests> {
  const end = onStep(step)
  const digests = await work()
  end(rowsIn(digests))
  return digests
}

async function requireSound(storage: Storage, store: DatabaseAddress, { onStep }: Watch) {
  const end = onStep({ name: 'check', store: store.name })
  const found = (await verifyHeld(storage, store)).filter(({ findings }) => findings.length > 0)
  if (found.length > 0) throw new UnsoundStore(store.name, found)
  end()
}
