import { resolve } from 'node:path'
import type { Environment } from '../../config/settings.ts'
import type { Context } from '../../context/context.ts'
import { copiedTables, countRows, digestStore } from '../../db/copying/copy-store.ts'
import type { Digests } from '../../db/copying/digests.ts'
import type { HeldSource, HeldTarget } from '../../db/copying/held-store.ts'
import { holdSource, holdTarget } from '../../db/doors/open.ts'
import { OpenError } from '../../db/errors.ts'
import { type DatabaseAddress, openDbAsItIs } from '../../db/open.ts'
import type { Declared, Storage } from '../../db/storage.ts'
import { requireUnmarked, type TransferMark } from '../../db/transfer-mark.ts'
import { refuseForeign } from '../../features/environment/claim-database.ts'
import { type OnProgress, ofRows } from '../progress.ts'
import { verifyHeld } from '../verify/verify-held.ts'
import type { Result } from '../verify/verify-store.ts'
import { runInWorker } from '../worker-client.ts'
import { copyHeld, requireEqual, rowsIn } from './copy-held.ts'

type TransferRequest = {
  from: DatabaseAddress
  to: DatabaseAddress
  environment: Environment
}

type TransferContext = Pick<Context, 'clock' | 'random'> & Declared

/** A part of a transfer. A check runs beside another step. */
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
  const source = await holdSource(from, storage.tables)
  try {
    await requireEnvironment(storage, from, environment, watch)
    const target = await holdTarget(to, storage).catch((error) => {
      // That the source has left already says more than that there is a store.
      requireUnmarked(source.mark, from.name)
      throw error
    })
    try {
      return await moveHeld(context, request, { source, target }, watch)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Lets a store be served again that was transferred; returns the name of the other one. Throws OpenError. */
export async function takeBackStore(storage: Storage, database: DatabaseAddress): Promise<string> {
  const source = await holdSource(database, storage.tables)
  try {
    const { mark } = source
    if (mark?.state === 'arriving') requireUnmarked(mark, database.name)
    if (mark === undefined) {
      throw new OpenError(
        'configuration',
        `${database.name} was not transferred: it may be served.`,
      )
    }
    await source.setMark(undefined)
    return mark.peer
  } finally {
    await source.close()
  }
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
    ? await digestSource(storage, source, from.name, watch)
    : await copySound(context, { source, target }, from, arriving, watch)
  const remedy = 'The source was not changed; transfer it again.'
  await runBoth(
    (signal) =>
      readRows(
        { name: 'compare', store: to.name },
        abortable(signal, watch),
        async (onProgress) => {
          await requireEqual({ storage, copy: to, remedy }, digests, onProgress)
          return digests
        },
      ),
    (signal) => requireSound(context, { database: to, rows: rowsIn(digests) }, watch, signal),
  )
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
  const db = await openDbAsItIs(database, { storage, admitsMarked: true, isHeld: true, warn })
  await refuseForeign(db, database.name, environment).finally(() => db.close())
}

/** Fills the target while the source is verified, since the service is down meanwhile. */
async function copySound(
  declared: Declared,
  { source, target }: Held,
  from: DatabaseAddress,
  mark: TransferMark,
  watch: Watch,
): Promise<Digests> {
  const { storage } = declared
  const rows = await countRows(source, copiedTables(storage))
  const [, digests] = await runBoth(
    (signal) => requireSound(declared, { database: from, rows }, watch, signal),
    (signal) =>
      readRows({ name: 'copy', store: from.name }, abortable(signal, watch), (onProgress) =>
        copyHeld({ storage, source, target, mark }, onProgress),
      ),
  )
  return digests
}

/** What a store has whose copy is complete. */
async function digestSource(storage: Storage, source: HeldSource, store: string, watch: Watch) {
  const tables = copiedTables(storage)
  return readRows({ name: 'compare', store }, watch, async (onProgress) =>
    digestStore(source, tables, ofRows(await countRows(source, tables), onProgress)),
  )
}

/** Runs a step that reads rows, and reports how many. */
async function readRows(
  step: Step,
  { onStep, onProgress }: Watch,
  work: (onProgress: OnProgress) => Promise<Digests>,
): Promise<Digests> {
  const end = onStep(step)
  const digests = await work(onProgress)
  end(rowsIn(digests))
  return digests
}

/** Verifying a smaller store takes less time than starting a thread. */
const threadRowsMin = 10_000

/**
 * Verifies a store: a large one in a thread, since copying blocks this one for seconds, such as to create an index in a file.
 */
async function requireSound(
  declared: Declared,
  { database, rows }: { database: DatabaseAddress; rows: number },
  { onStep }: Watch,
  signal: AbortSignal,
): Promise<void> {
  const end = onStep({ name: 'check', store: database.name })
  const results =
    rows >= threadRowsMin
      ? await runInWorker(declared, { name: 'verify', input: database }, () => undefined, signal)
      : await verifyHeld(declared.storage, database, () => signal.throwIfAborted())
  const found = results.filter(({ findings }) => findings.length > 0)
  if (found.length > 0) throw new UnsoundStore(database.name, found)
  end()
}

/** The watch of a step that ends at its next rows once another has failed. */
function abortable(signal: AbortSignal, watch: Watch): Watch {
  return {
    ...watch,
    onProgress(progress) {
      signal.throwIfAborted()
      watch.onProgress(progress)
    },
  }
}

/** Runs both to their ends. Throws what was thrown first; that aborts the signal of the other. */
async function runBoth<A, B>(
  one: (signal: AbortSignal) => Promise<A>,
  other: (signal: AbortSignal) => Promise<B>,
): Promise<[A, B]> {
  const failing = new AbortController()
  const run = <T>(work: (signal: AbortSignal) => Promise<T>) =>
    work(failing.signal).catch((error) => {
      failing.abort(error)
      throw error
    })
  const [first, second] = await Promise.allSettled([run(one), run(other)])
  if (first.status === 'fulfilled' && second.status === 'fulfilled')
    return [first.value, second.value]
  throw failing.signal.reason
}
