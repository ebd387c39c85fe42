import { seedCountMax } from '../admin/seed/seed-count-max.ts'
import { parseInstant } from '../contract/instant.ts'
import { didYouMean } from '../nearest-name.ts'

/** Leaves room for four billion ids. */
const firstIdMax = 2n ** 63n - 2n ** 32n
const orderHoldMaxMs = 9_999_999_999

/** What each option must be, and whether a value is that; `fixture` and `fixtures` are checked with the contract. */
const rules: Record<string, [required: string, isValid: (value: unknown) => boolean]> = {
  as: ["'in-process' or 'child'", (value) => value === 'in-process' || value === 'child'],
  now: [
    'an instant such as 2030-12-05T00:00:00Z',
    (value) => typeof value === 'string' && parseInstant(value) !== undefined,
  ],
  firstId: [
    `a bigint from 1n to ${firstIdMax}n`,
    (value) => typeof value === 'bigint' && value >= 1n && value <= firstIdMax,
  ],
  seed: [`an integer from 1 to ${seedCountMax}`, isIntegerTo(seedCountMax)],
  fixture: ['an object', isObject],
  fixtures: ['an object or an array of objects', (value) => [value].flat().every(isObject)],
  orderHoldMs: [`an integer from 1 to ${orderHoldMaxMs}`, isIntegerTo(orderHoldMaxMs)],
  strict: ['a boolean', (value) => typeof value === 'boolean'],
  webhook: [
    "an address, or an object such as { url: 'http://127.0.0.1:3000/hook', types: ['order.placed'] }",
    (value) => URL.canParse(String(Object(value).url ?? value)),
  ],
  keys: ['an array of objects', (value) => Array.isArray(value) && value.every(isObject)],
}

/** Throws a `TypeError` that names the first option that is unknown or has a wrong value. */
export function checkOptions(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    const rule = rules[name]
    if (rule === undefined) {
      const end = didYouMean(name, Object.keys(rules))
      throw new TypeError(`${name} is not an option of startPetstore${end}`)
    }
    const [required, isValid] = rule
    if (value !== undefined && !isValid(value))
      throw new TypeError(`${name} must be ${required}; received ${shown(value)}.`)
  }
}

function isIntegerTo(max: number): (value: unknown) => boolean {
  return (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
