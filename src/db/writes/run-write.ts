import { isDeepStrictEqual } from 'node:util'
import type {
  Change,
  IdempotencyClaim,
  Log,
  LoggedChange,
  Origin,
  Outcome,
  Tx,
  Write,
} from '../db.ts'
import { instantMs } from '../deadline.ts'
import { Refusal } from '../errors.ts'
import type { ChangeCounts, CommitTimes } from '../on-commit.ts'
import type { ServeOptions } from '../opening/open-options.ts'
import {
  ClaimConflict,
  findResults,
  formatClaimId,
  insertNewResults,
  insertResults,
  repeat,
  replay,
  resultOf,
  tooManyKeys,
} from './idempotency.ts'

/** One input that waits for a write. */
export type Job<I = unknown> = {
  input: I
  claim?: IdempotencyClaim | undefined
  origin?: Origin | undefined
}

/** The outcome of a job. Members are absent in the usual case, since copying them between threads costs time. */
export type Ran<V = unknown> =
  | { value: V; isReplayed?: true; bytes?: number }
  | { refusal: Refusal }

/** The outcomes of jobs, in order, and the changes that they made. */
type RanWrite<V = unknown> = { ran: Ran<V>[]; changed: ChangeCounts }

type RunOptions = {
  log?: Log | undefined
  /**
   * Whether no claim is looked up: a claim with a result then fails the transaction. Where nothing is logged, the results
   * are stored together with the commit.
   */
  presumesNew?: boolean
}

/**
 * Runs a write on many jobs inside a transaction. A job whose claim has a result is a replay; of jobs with one claim the
 * first is run, and the others repeat it. The results of claims and the log of changes are stored with the effects. Throws
 * `ClaimConflict`, what the write throws, and, of a single job, its `Refusal`: the transaction is then to be rolled back.
 */
export async function runWrite<I, V>(
  write: Write<I, V>,
  tx: Omit<Tx, 'record' | 'create'>,
  jobs: readonly Job<I>[],
  { log, presumesNew = false }: RunOptions = {},
): Promise<RanWrite<V>> {
  const recorded: Recorded[] = []
  const changed = new Map<string, number>()
  const isClaimed = jobs.some(({ claim }) => claim)
  const record: Tx['record'] = (input, change) => {
    const { before, data, isRepair } = change
    if (!before || isRepair || !isDeepStrictEqual(before, data)) recorded.push({ input, change })
  }
  const recording: Tx = {
    ...tx,
    record,
    async create(table, columns, rows, records) {
      // Where a claim may be waited for, the log is written last: readers of the log would wait as well.
      const insertLogged = isClaimed ? presumesNew && tx.insertLogged : tx.last.insertLogged
      if (log && insertLogged) {
        for (const { type } of records) countChanges(changed, type)
        const origins = new Map<unknown, Origin | undefined>(
          jobs.map(({ input, origin }) => [input, origin]),
        )
        const originOf = (input: unknown) => origins.get(input) ?? originOfCommand()
        const logged = records.map((one) => ({ ...one, id: 0n, origin: originOf(one.input) }))
        return insertLogged(table, columns, rows, { ...log, rows: log.rowsOf(logged) })
      }
      return insertRecorded({ insert: tx.insert, record }, table, columns, rows, records)
    },
    async attempt(work) {
      const before = recorded.length
      const outcome = await tx.attempt(work)
      if ('refusal' in outcome) recorded.length = before
      return outcome
    },
  }
  const claims: Claims = {
    stored: presumesNew || !isClaimed ? new Map() : await findResults(tx, claimsOf(jobs)),
    insert(results) {
      if (!presumesNew) return insertResults(tx, results)
      return insertNewResults(log && recorded.length > 0 ? tx : { ...tx, ...tx.last }, results)
    },
  }
  const ran = isClaimed
    ? await runClaimed(write, { ...recording, last: tx }, jobs, claims)
    : await run(write, recording, jobs)
  const changes = changesOf(recorded, jobs, ran)
  if (log && changes.length > 0)
    await tx.last.insertInOrder(log.table, log.columns, log.rowsOf(changes))
  for (const { type } of changes) countChanges(changed, type)
  return { ran, changed }
}

/** As `Tx.create`, where other statements follow. */
async function insertRecorded(
  { insert, record }: Pick<Tx, 'insert' | 'record'>,
  ...[table, columns, rows, records]: Parameters<Tx['create']>
): Promise<bigint[]> {
  const ids = await insert(table, columns, rows)
  for (const [index, { input, data, ...change }] of records.entries()) {
    const id = ids[index] as bigint
    record(input, { ...change, id, data: { id, ...data } })
  }
  return ids
}

/** A transaction in which all that is recorded is of this input: it is many changes. */
export function recordingFor(tx: Tx, input: unknown): Tx {
  const record: Tx['record'] = (own, change) => tx.record(own && input, change)
  // Other statements follow: the transaction is not committed with new records.
  return { ...tx, record, create: (...rows) => insertRecorded({ ...tx, record }, ...rows) }
}

/** Counts changes of one type. */
export function countChanges(changed: Map<string, number>, type: string, count = 1): void {
  changed.set(type, (changed.get(type) ?? 0) + count)
}

/** A batch that is stored: its changes, its commit, and when that began, on the clock of `sentMs`. */
type Stored = { commit: CommitTimes; changed: ChangeCounts; beganMs: number }

/**
 * Returns what tells observers of a stored batch; of batches that share a commit, the first one reports it. A commit without
 * inputs is none. What observers throw is a warning: it must not change the outcome of what is stored. `sentMs`: when the batch
 * was sent; `pending`: how many inputs wait or run, those of the commit included.
 */
export function createCommitReporter({ onCommit, warn = () => undefined }: Partial<ServeOptions>) {
  let reported: CommitTimes | undefined

  async function tell(observer: () => void | Promise<void>) {
    try {
      await observer()
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      warn(`An observer of commits failed: ${reason}`)
    }
  }

  return async (
    jobs: readonly Job[],
    { commit, changed, beganMs }: Stored,
    { sentMs, pending }: { sentMs: number; pending: number },
  ) => {
    if (!onCommit || commit.inputs === 0) return
    const { reported: report, committed } = onCommit
    const waits = { waiting: pending - commit.inputs, waitedMs: Math.max(0, beganMs - sentMs) }
    const isReported = commit === reported
    reported = commit
    // Not awaited: the other batches of the commit would be told before this one.
    if (report && !isReported) void tell(() => report({ ...commit, changed, ...waits }))
    const origins = jobs.map(({ origin }) => origin)
    await tell(() => committed({ origins, changed, commit }))
  }
}

/** The stored results of claims, and the function that stores new ones. */
type Claims = {
  stored: Awaited<ReturnType<typeof findResults>>
  insert(results: Parameters<typeof insertResults>[1]): Promise<void>
}

type Recorded = { input: unknown; change: Change }

/** The changes that count, with their origins. Jobs of one transaction may share an input. */
function changesOf(
  recorded: readonly Recorded[],
  jobs: readonly Job[],
  ran: readonly Ran[],
): LoggedChange[] {
  if (recorded.length === 0) return []
  const origins = new Map<unknown, Origin | undefined>()
  for (const [index, { input, origin }] of jobs.entries()) {
    if ('value' in (ran[index] as Ran)) origins.set(input, origin)
  }
  return recorded.flatMap(({ input, change }) => {
    if (input === undefined) return { ...change, origin: originOfNone(change, jobs) }
    if (!origins.has(input)) return []
    return { ...change, origin: origins.get(input) ?? originOfCommand() }
  })
}

/** Of a change that no input asked for: as old as the last of them. */
function originOfNone({ actor }: Change, jobs: readonly Job[]): Origin {
  const origins = jobs.map(({ origin }) => origin ?? originOfCommand())
  const [first] = origins
  return {
    actor: actor ?? (first as Origin).actor,
    now: Math.max(...origins.map(({ now }) => now)),
  }
}

/** Of a write that names none. */
function originOfCommand(): Origin {
  return { actor: { type: 'command', name: 'petstore' }, now: Math.round(instantMs()) }
}

async function runClaimed<I, V>(
  write: Write<I, V>,
  tx: Tx,
  jobs: readonly Job<I>[],
  claims: Claims,
): Promise<Ran<V>[]> {
  const firsts = firstOfEachClaim(jobs, claims.stored)
  const isOneOfSeveral = firsts.size === 1 && jobs.length > 1
  const ran = isOneOfSeveral ? attempting(write) : write
  const outcomes = await runFirsts(ran, tx, [...firsts.values()], claims)
  return jobs.map((job) => outcomes.get(job) ?? repetitionOf(job.claim as IdempotencyClaim))

  function repetitionOf(claim: IdempotencyClaim): Ran<V> {
    const id = formatClaimId(claim)
    const result = claims.stored.get(id)
    if (result) return replay<V>(result, claim)
    const first = firsts.get(id)
    if (!first) return { refusal: tooManyKeys(claim.obstacle ?? '') }
    return repeat(outcomes.get(first) as Outcome<V>, first.claim as IdempotencyClaim, claim)
  }
}

function claimsOf(jobs: readonly Job[]): IdempotencyClaim[] {
  return jobs.flatMap(({ claim }) => claim ?? [])
}

/** The first job of each claim without a stored result that may have one, and every job without a claim. */
function firstOfEachClaim<I>(
  jobs: readonly Job<I>[],
  stored: Claims['stored'],
): ReadonlyMap<unknown, Job<I>> {
  const firsts = new Map<unknown, Job<I>>()
  for (const job of jobs) {
    const id = job.claim ? formatClaimId(job.claim) : job
    if (firsts.has(id) || (typeof id === 'string' && stored.has(id))) continue
    if (job.claim?.obstacle === undefined) firsts.set(id, job)
  }
  return firsts
}

/** A write of one input whose refusal does not roll back the transaction, which also stores or replays other jobs. */
function attempting<I, V>(write: Write<I, V>): Write<I, V> {
  return {
    ...write,
    async run(tx, inputs) {
      const ran = await tx.attempt(() => write.run(tx, inputs))
      return 'refusal' in ran ? [ran] : ran.value
    },
  }
}

/** Runs the inputs, and stores the results of their claims. */
async function runFirsts<I, V>(
  write: Write<I, V>,
  tx: Tx,
  jobs: readonly Job<I>[],
  claims: Claims,
): Promise<ReadonlyMap<Job<I>, Ran<V>>> {
  if (jobs.length === 0) return new Map()
  const outcomes = await run(write, tx, jobs)
  const ran = new Map<Job<I>, Ran<V>>()
  const results = []
  const refused: IdempotencyClaim[] = []
  for (const [index, job] of jobs.entries()) {
    const outcome = outcomes[index] as Outcome<V>
    const result = job.claim && 'value' in outcome ? resultOf(job.claim, outcome.value) : undefined
    if (result) results.push(result)
    else if (job.claim) refused.push(job.claim)
    ran.set(job, result ? { ...outcome, bytes: result.bytes } : outcome)
  }
  if (refused.length > 0) await requireUnclaimed(tx, refused)
  if (results.length > 0) await claims.insert(results)
  return ran
}

async function run<I, V>(write: Write<I, V>, tx: Tx, jobs: readonly Job<I>[]) {
  try {
    const outcomes = await write.run(
      tx,
      jobs.map(({ input }) => input),
    )
    if (outcomes.length === jobs.length) return outcomes
    throw new Error(`${write.name} returned ${outcomes.length} outcomes for ${jobs.length} inputs.`)
  } catch (error) {
    const claims = claimsOf(jobs)
    if (error instanceof Refusal && claims.length > 0) await requireUnclaimed(tx, claims)
    throw error
  }
}

/** Throws ClaimConflict where a concurrent transaction has stored a result since: the input is then a repetition. */
async function requireUnclaimed(tx: Tx, claims: readonly IdempotencyClaim[]): Promise<void> {
  const { size } = await findResults(tx, claims)
  if (size > 0) throw new ClaimConflict()
}
