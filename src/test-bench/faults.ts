import { ServiceError } from '../contract/service-error.ts'
import type { NewFault } from './contract.ts'

/** A rule with its counts. */
export type Fault = NewFault & {
  id: number
  /** How many requests the conditions before `nth` matched. */
  matched: number
  /** How many requests it changed. */
  applied: number
}

/** What a rule can ask of a request before its work, and of its response. */
type Asked = { operation: string | undefined; method: string; status?: number }

export type Faults = {
  list(): readonly Fault[]
  /** Throws `invalid_body` where the rule can never apply. */
  add(rule: NewFault): Fault
  /** Whether there was one. */
  remove(id: number): boolean
  clear(): void
  /** The first rule that applies to a request, before its work (no `status`) or after it. */
  find(asked: Asked): Fault | undefined
}

const rulesMax = 1_000

/** `errorsOf`: the error codes that an operation declares; absent for an unknown one. */
export function createFaults(
  errorsOf: (operation: string) => ReadonlySet<string> | undefined,
): Faults {
  let rules: { fault: Fault; random: () => number }[] = []
  let lastId = 0

  function applies({ fault, random }: (typeof rules)[number], asked: Asked): boolean {
    const { operation, method, status, nth, times, probability } = fault
    if (status !== asked.status) return false
    if (operation !== undefined && operation !== asked.operation) return false
    if (method !== undefined && method !== asked.method) return false
    if (fault.error !== undefined && !errorsOf(asked.operation ?? '')?.has(fault.error))
      return false
    fault.matched += 1
    if (nth !== undefined && fault.matched !== nth) return false
    if (times !== undefined && fault.applied >= times) return false
    if (probability !== undefined && random() >= probability) return false
    fault.applied += 1
    return true
  }

  return {
    list: () => rules.map(({ fault }) => fault),
    add(rule) {
      requireSense(rule, errorsOf)
      if (rules.length >= rulesMax)
        throw new ServiceError('invalid_body', `There are ${rulesMax} faults already; remove some.`)
      lastId += 1
      const fault = { ...rule, id: lastId, matched: 0, applied: 0 }
      rules.push({ fault, random: seededRandom(rule.seed ?? 0) })
      return fault
    },
    remove(id) {
      const before = rules.length
      rules = rules.filter(({ fault }) => fault.id !== id)
      return rules.length < before
    },
    clear() {
      rules = []
      lastId = 0
    },
    find: (asked) => rules.find((rule) => applies(rule, asked))?.fault,
  }
}

function requireSense(rule: NewFault, errorsOf: Parameters<typeof createFaults>[0]) {
  const { operation, status, error, cut, dripMs, delayMs, violation } = rule
  const refuse = (sentence: string) => {
    throw new ServiceError('invalid_body', sentence)
  }
  const declared = operation === undefined ? undefined : errorsOf(operation)
  if (operation !== undefined && declared === undefined)
    refuse(`There is no operation ${JSON.stringify(operation)}.`)
  if (error !== undefined && declared && !declared.has(error))
    refuse(`${operation} declares no error ${error}. A violation can send any response.`)
  if ([error, cut, dripMs, delayMs, violation].every((action) => action === undefined))
    refuse('The fault does nothing: give one of error, cut, dripMs, delayMs, violation.')
  if ([error, cut, violation].filter((action) => action !== undefined).length > 1)
    refuse('Of error, cut and violation a fault has one.')
  if (cut === 'before' && status !== undefined)
    refuse('The status is known only after the work; cut before it takes no status.')
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
