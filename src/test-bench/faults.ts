import { createDice, type Dice } from '../admin/seed/dice.ts'
import type { ErrorCode } from '../contract/error-codes.ts'
import { ServiceError } from '../contract/service-error.ts'
import { didYouMean } from '../nearest-name.ts'
import type { NewFault } from './contract.ts'

/** A fault that was added, with its counts. */
export type Fault = NewFault & {
  id: number
  /** How many requests matched `operation`, `method`, `status` and `error`. */
  matched: number
  /** How many requests it was applied to. */
  applied: number
}

/** The resolution of a probability: one millionth. */
const shares = 1_000_000

/** What the conditions of a fault are compared with; `status` only once there is a response. */
type Candidate = { operation: string | undefined; method: string; status?: number }

export type Faults = ReturnType<typeof createFaults>

/** The error codes that each operation declares, by its operationId. */
export type DeclaredErrors = ReadonlyMap<string, ReadonlySet<ErrorCode>>

export function createFaults(declaredErrors: DeclaredErrors) {
  let entries: { fault: Fault; dice: Dice }[] = []
  let lastId = 0

  function applies({ fault, dice }: (typeof entries)[number], candidate: Candidate): boolean {
    const { operation, method, status, nth, times, probability } = fault
    if (status !== candidate.status) return false
    if (operation !== undefined && operation !== candidate.operation) return false
    if (method !== undefined && method !== candidate.method) return false
    if (
      fault.error !== undefined &&
      !declaredErrors.get(candidate.operation ?? '')?.has(fault.error)
    )
      return false
    fault.matched += 1
    if (nth !== undefined && fault.matched !== nth) return false
    if (times !== undefined && fault.applied >= times) return false
    if (probability !== undefined && dice.below(shares) >= probability * shares) return false
    fault.applied += 1
    return true
  }

  return {
    list: (): readonly Fault[] => entries.map(({ fault }) => fault),
    /** Throws `invalid_body` if the fault could never be applied. */
    add(newFault: NewFault): Fault {
      requireUseful(newFault, declaredErrors)
      lastId += 1
      const fault = { ...newFault, id: lastId, matched: 0, applied: 0 }
      entries.push({ fault, dice: createDice(String(newFault.seed ?? 0)) })
      return fault
    },
    /** Returns whether there was one with this id. */
    remove(id: number): boolean {
      const before = entries.length
      entries = entries.filter(({ fault }) => fault.id !== id)
      return entries.length < before
    },
    clear() {
      entries = []
      lastId = 0
    },
    /** Finds the first fault whose conditions match, and counts it. */
    find: (candidate: Candidate): Fault | undefined =>
      entries.find((entry) => applies(entry, candidate))?.fault,
  }
}

function requireUseful(newFault: NewFault, declaredErrors: DeclaredErrors) {
  const { operation, status, error, cut, dripMs, delayMs, violation } = newFault
  const refuse = (sentence: string) => {
    throw new ServiceError('invalid_body', sentence)
  }
  const declared = operation === undefined ? undefined : declaredErrors.get(operation)
  if (operation !== undefined && declared === undefined) {
    const advice = didYouMean(operation, [...declaredErrors.keys()])
    refuse(`There is no operation ${JSON.stringify(operation)}${advice}`)
  }
  if (error !== undefined && declared && !declared.has(error))
    refuse(`${operation} declares no error ${error}. A violation can send any response.`)
  if ([error, cut, dripMs, delayMs, violation].every((action) => action === undefined))
    refuse('The fault does nothing: give one of error, cut, dripMs, delayMs, violation.')
  if ([error, cut, violation].filter((action) => action !== undefined).length > 1)
    refuse('A fault takes only one of error, cut and violation.')
  if (cut === 'before' && status !== undefined)
    refuse('The status is known only after the operation is performed: cut before takes no status.')
}
