import { resolve } from 'node:path'
import type { Environment } from '../../config/settings.ts'
import type { Context } from '../../context/context.ts'
import { copiedTables, copyStore, countRows, digestStore } from '../../db/copying/copy-store.ts'
import { type Digests, differences } from '../../db/copying/digests.ts'
import type { HeldSource, HeldTarget } from '../../db/copying/held-store.ts'
import { holdSource, holdTarget, openStoreReader } from '../../db/doors/open.ts'
import { OpenError } from '../../db/errors.ts'
import { type DatabaseAddress, openDbAsItIs } from '../../db/open.ts'
import type { Declared, Storage, Table } from '../../db/storage.ts'
import { requireUnmarked, type TransferMark } from '../../db/transfer-mark.ts'
import { refuseForeign } from '../../features/environment/claim-database.ts'
import { verifyHeld } from '../verify/verify-held.ts'
import { runInWorker } from '../worker-client.ts'
import { UnsoundStore } from './unsound-store.ts'

type TransferRequest = {
  from: DatabaseAddress
  to: DatabaseAddress
  environment: Environment
}

type TransferContext = Pick<Context, 'clock' | 'random'> & Declared

/** A part of a transfer; `rows` are those that it will read. */
export type Step = { name: 'check' | 'copy' | 'compare'; store: string; rows?: number }

/** What a transfer tells while it runs. */
type Watch = {
  /** Returns what is called at the end of the step. A check runs beside another step. */
  onStep(step: Step): () => void
  /** Called with the number of rows so far, of the step that has some. */
  onRows(rows: number): void
  warn(sentence: string): void
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
  const tables = copiedTables(storage)
  const hasLeft = source.mark !== undefined && source.mark.transfer === target.mark?.transfer
  if (!hasLeft) requireUnmarked(source.mark, from.name)
  const transfer = Buffer.from(random(16)).toString('hex')
  const mark = { transfer, markedAt: clock() }
  const arriving: TransferMark = { ...mark, state: 'arriving', peer: placeOf(from) }
  const digests = hasLeft
    ? await digestSource(tables, source, from.name, watch)
    : await fillSound(context, { source, target }, from, arriving, watch)
  await runBoth(
    (signal) => requireEqual(tables, to, digests, until(signal, watch)),
    (signal) => requireSound(context, { database: to, rows: rowsOf(digests) }, watch, signal),
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
async function fillSound(
  declared: Declared,
  { source, target }: Held,
  from: DatabaseAddress,
  mark: TransferMark,
  watch: Watch,
): Promise<Digests> {
  const tables = copiedTables(declared.storage)
  const rows = await countRows(source, tables)
  const [, digests] = await runBoth(
    (signal) => requireSound(declared, { database: from, rows }, watch, signal),
    async (signal) => {
      const { onStep, onRows } = until(signal, watch)
      const end = onStep({ name: 'copy', store: from.name, rows })
      const writer = await target.fill(mark)
      try {
        const copied = await copyStore(source, writer, tables, onRows)
        await writer.finish()
        end()
        return copied
      } finally {
        await writer.close()
      }
    },
  )
  return digests
}

/** What a store has whose copy is complete. */
async function digestSource(
  tables: readonly Table[],
  source: HeldSource,
  name: string,
  { onStep, onRows }: Watch,
): Promise<Digests> {
  const end = onStep({ name: 'compare', store: name, rows: await countRows(source, tables) })
  const digests = await digestStore(source, tables, onRows)
  end()
  return digests
}

/** Reads every row of the target again. */
async function requireEqual(
  tables: readonly Table[],
  to: DatabaseAddress,
  copied: Digests,
  { onStep, onRows }: Watch,
): Promise<void> {
  const end = onStep({ name: 'compare', store: to.name, rows: rowsOf(copied) })
  const reader = await openStoreReader(to)
  try {
    const different = differences(copied, await digestStore(reader, tables, onRows))
    if (different.length === 0) return end()
    throw new OpenError(
      'damaged',
      `What ${to.name} has of ${different.join(', ')} differs from what was copied. The source was not changed; transfer it again.`,
    )
  } finally {
    await reader.close()
  }
}

function rowsOf(digests: Digests): number {
  return Object.values(digests).reduce((sum, table) => sum + table.rows, 0)
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
function until(signal: AbortSignal, watch: Watch): Watch {
  return {
    ...watch,
    onRows(rows) {
      signal.throwIfAborted()
      watch.onRows(rows)
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
