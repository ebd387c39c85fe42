import { instantMs } from '../deadline.ts'
import { OpenError, Refusal, Unavailable, unavailable } from '../errors.ts'
import { failureOf, repairOf, stateOf } from './failures.ts'
import { NoPrimary } from './find-primary.ts'
import type { PrimaryOptions } from './primary.ts'

/** The same line is not logged again sooner. */
const warnEveryMs = 60_000
const sentencesMax = 100

/** What an operator has to repair, for the log and for commands. */
const repairs = {
  access: {
    reason: 'noPermission',
    problem: 'refuses the role a right that the service needs',
    advice: 'Give the role the rights that docs/guides/postgresql.md lists',
  },
  schema: {
    reason: 'damaged',
    problem: 'has another schema than its migrations make',
    advice: 'Undo the change; petstore verify names what differs',
  },
} as const

/** Throw the errors of `Db` for failed statements; defects stay as they are. */
export type Explanations = {
  explainRead(error: unknown): never
  explainWrite(error: unknown, mayBeStored: boolean): never
}

/**
 * Failures that only an operator can repair are also logged, each at most once a minute; they end a command with an
 * OpenError.
 */
export function createExplanations({
  name,
  isPatient,
  warn,
}: Pick<PrimaryOptions, 'name' | 'isPatient' | 'warn'>): Explanations {
  const warnedAtMs = new Map<string, number>()

  function tellOperator(thrown: unknown): void {
    const error = thrown instanceof NoPrimary ? thrown.cause : thrown
    const repair = repairOf(error)
    if (repair === undefined) return
    const { reason, problem, advice } = repairs[repair]
    const sentence = `${name} ${problem}: ${(error as Error).message} (SQLSTATE ${stateOf(error)}).`
    if (isPatient) throw new OpenError(reason, `${sentence} ${advice}.`, error)
    const nowMs = instantMs()
    if (nowMs - (warnedAtMs.get(sentence) ?? Number.NEGATIVE_INFINITY) < warnEveryMs) return
    if (warnedAtMs.size >= sentencesMax) warnedAtMs.clear()
    warnedAtMs.set(sentence, nowMs)
    warn(`${sentence} Requests that need it get 503 until it is repaired. ${advice}.`)
  }

  return {
    explainRead(error) {
      tellOperator(error instanceof Unavailable ? error.cause : error)
      if (error instanceof Unavailable || failureOf(error) === 'defect') throw error
      throw unavailable.reading(error)
    },
    explainWrite(error, mayBeStored) {
      tellOperator(error instanceof Unavailable ? error.cause : error)
      if (error instanceof Unavailable || error instanceof Refusal) throw error
      const failure = failureOf(error)
      if (failure === 'defect') throw error
      throw failure === 'unknown' && mayBeStored
        ? unavailable.unknown(error)
        : unavailable.storing(error)
    },
  }
}
