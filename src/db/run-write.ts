import type { Change, CommittedChange, IdempotencyClaim, Origin, Outcome, Tx, Write } from './db.ts'
import { Refusal } from './errors.ts'
import {
  ClaimConflict,
  findResults,
  formatClaimId,
  insertResults,
  repeat,
  replay,
} from './idempotency.ts'

/** One input that waits for a write. */
export type Job<I = unknown> = {
  input: I
  claim?: IdempotencyClaim | undefined
  origin?: Origin | undefined
}

/** The outcome of a job. Members are absent in the usual case, since copying them between threads costs time. */
export type Ran<V = unknown> =
  | { value: V; isReplayed?: true; changes?: readonly CommittedChange[] }
  | { refusal: Refusal }

/**
 * A batch that was committed. Batches of one commit have the same `commit`, and are reported one after the other.
 */
export type CommittedBatch = {
  /** Of its inputs, in order. */
  origins: readonly (Origin | undefined)[]
  changes: readonly CommittedChange[]
  commit: CommitTimes
  /** How many inputs wait for a later commit. */
  waiting: number
  /** How long the batch waited for its transaction. */
  waitedMs: number
}

/** How many inputs one commit stored, and how long its statements and the commit itself took. */
export type CommitTimes = { inputs: number; statementsMs: number; commitMs: number }

/** Called after each commit; the writes of the batch resolve once it has. */
export type OnCommit = (batch: CommittedBatch) => void | Promise<void>

/** The changes that the jobs of a batch made. */
export function changesOf(
  ran: readonly (Ran | { refusal: unknown } | { defect: string })[],
): CommittedChange[] {
  return ran.flatMap((one) => ('changes' in one ? (one.changes ?? []) : []))
}

/**
 * Runs a write on many jobs inside a transaction. A job whose claim has a result is a replay; of jobs with one claim the
 * first is run, and the others repeat it. The results of claims are stored with the effects. Throws `ClaimConflict`, what
 * the write throws, and, of a single job, its `Refusal`: the transaction is then to be rolled back.
 */
export async function runWrite<I, V>(
  write: Write<I, V>,
  tx: Omit<Tx, 'record'>,
  jobs: readonly Job<I>[],
): Promise<Ran<V>[]> {
  const recorded = new Map<unknown, Change[]>()
  const recording: Tx = {
    ...tx,
    record: (input, change) => recorded.set(input, [...(recorded.get(input) ?? []), change]),
  }
  const isClaimed = jobs.some(({ claim }) => claim)
  const ran = isClaimed
    ? await runClaimed(write, { ...recording, last: tx }, jobs)
    : await run(write, recording, jobs)
  if (recorded.size === 0) return ran
  return ran.map((one, index) => {
    const { input, origin = {} } = jobs[index] as Job<I>
    const changes = 'refusal' in one || 'isReplayed' in one ? undefined : recorded.get(input)
    return changes ? { ...one, changes: changes.map((change) => ({ ...change, origin })) } : one
  })
}

async function runClaimed<I, V>(
  write: Write<I, V>,
  tx: Tx,
  jobs: readonly Job<I>[],
): Promise<Ran<V>[]> {
  const stored = await findResults(tx, claimsOf(jobs))
  const firsts = firstOfEachClaim(jobs, (id) => stored.has(id))
  const isOneOfSeveral = firsts.size === 1 && jobs.length > 1
  const outcomes = await runFirsts(isOneOfSeveral ? attempting(write) : write, tx, [
    ...firsts.values(),
  ])
  return jobs.map((job) => outcomes.get(job) ?? repetitionOf(job.claim as IdempotencyClaim))

  function repetitionOf(claim: IdempotencyClaim): Ran<V> {
    const id = formatClaimId(claim)
    const result = stored.get(id)
    if (result) return replay<V>(result, claim)
    const first = firsts.get(id) as Job<I>
    return repeat(outcomes.get(first) as Outcome<V>, first.claim as IdempotencyClaim, claim)
  }
}

function claimsOf(jobs: readonly Job[]): IdempotencyClaim[] {
  return jobs.flatMap(({ claim }) => claim ?? [])
}

/** Of the jobs with one claim, the first; of those without one, each. */
function firstOfEachClaim<I>(
  jobs: readonly Job<I>[],
  isStored: (id: string) => boolean,
): ReadonlyMap<unknown, Job<I>> {
  const firsts = new Map<unknown, Job<I>>()
  for (const job of jobs) {
    const id = job.claim ? formatClaimId(job.claim) : job
    if (firsts.has(id) || (typeof id === 'string' && isStored(id))) continue
    firsts.set(id, job)
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
): Promise<ReadonlyMap<Job<I>, Outcome<V>>> {
  if (jobs.length === 0) return new Map()
  const outcomes = await run(write, tx, jobs)
  const results: { claim: IdempotencyClaim; value: unknown }[] = []
  const refused: IdempotencyClaim[] = []
  for (const [index, { claim }] of jobs.entries()) {
    const outcome = outcomes[index] as Outcome<V>
    if (claim && 'value' in outcome) results.push({ claim, value: outcome.value })
    else if (claim) refused.push(claim)
  }
  if (refused.length > 0) await requireUnclaimed(tx, refused)
  if (results.length > 0) await insertResults(tx, results)
  return new Map(jobs.map((job, index) => [job, outcomes[index] as Outcome<V>]))
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
