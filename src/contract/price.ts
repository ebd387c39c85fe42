import { currenciesByDigits, digitsOf } from './currencies.ts'
import { member } from './member.ts'
import { oneOf } from './schemas.ts'
import * as Type from './type.ts'

export const Currency = oneOf([...digitsOf.keys()], {
  $id: 'Currency',
  description: 'A currency of ISO 4217.',
  allowed: 'a currency of ISO 4217 in capital letters, such as EUR',
  examples: ['EUR'],
})

export const Amount = Type.String({
  description:
    'A decimal with exactly as many digits behind the point as ISO 4217 gives the currency: `249.00` of EUR, `24900` of JPY, `24.900` of KWD.',
  maxLength: 20,
  pattern: '^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,4})?$',
  allowed: 'a string with a decimal of at most 15 digits before the point, such as 249.00',
  examples: ['249.00'],
})

function amountWith(digits: number) {
  const [behind, example] =
    digits === 0 ? ['', '249'] : [`\\.[0-9]{${digits}}`, `249.${'0'.repeat(digits)}`]
  return {
    type: 'string',
    pattern: `^(0|[1-9][0-9]{0,14})${behind}$`,
    allowed: `a string with a decimal of at most 15 digits before the point and ${digits || 'none'} behind it, as the currency has, such as ${example}`,
  }
}

/** What the currency in one member requires of the amount in another. */
export function amountRules(amount: string, currency: string) {
  return currenciesByDigits.map(([digits, codes]) => ({
    if: { properties: { [currency]: { enum: codes } }, required: [currency] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { [amount]: amountWith(digits) } },
  }))
}

/** An amount of money. */
export type Price = { amount: string; currency: string }

/** A price in a record. */
export function priceOf(description: string) {
  const example = { amount: '249.00', currency: 'EUR' }
  const schema = Type.Object(
    { amount: Amount, currency: Currency },
    {
      $id: 'Price',
      description,
      allowed: 'a JSON object with amount and currency',
      allOf: amountRules('amount', 'currency'),
      examples: [example],
    },
  )
  return member(schema, { isSound: isPrice })
}

const amountPattern = /^(?:0|[1-9][0-9]{0,14})(?:\.([0-9]{1,4}))?$/

/** Whether an amount has the digits of its currency. */
export function isPrice(value: unknown): boolean {
  const { amount, currency } = value as Partial<Price>
  const found = amountPattern.exec(amount ?? '')
  return found !== null && (found[1] ?? '').length === digitsOf.get(currency ?? '')
}
