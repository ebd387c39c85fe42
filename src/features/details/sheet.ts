import { amountRules } from '../../contract/price.ts'
import type { Problem } from '../../contract/problem.ts'
import { presentMembers } from '../../db/records/rows.ts'
import type { NewDetails } from './contract.ts'

/** The details in a row of a spreadsheet. */
export type DetailsRow = Omit<NewDetails, 'price'> & { price?: string; currency?: string }

/** What the columns `price` and `currency` require of each other. */
export const priceRules = {
  allOf: [
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    { if: { required: ['price'] }, then: { required: ['currency'] } },
    ...amountRules('price', 'currency'),
  ],
}

const priceWithCurrency = /^(\S+)\s+([A-Z]{3})$/

/** Takes the currency from a price such as `249.00 EUR`. One without a price says nothing. */
export function preparePrice(
  values: Record<string, unknown>,
  { currency: usual }: { currency?: string | undefined } = {},
): Problem[] {
  const { price, currency } = values
  if (price === undefined) {
    delete values.currency
    return []
  }
  const [, amount, own = currency ?? usual] = priceWithCurrency.exec(String(price)) ?? []
  if (amount !== undefined && currency !== undefined && currency !== own) {
    const detail = `is in ${own}, while currency is ${JSON.stringify(currency)}: leave one of them out`
    return [{ pointer: '/price', detail }]
  }
  if (amount !== undefined) values.price = amount
  if (own !== undefined) values.currency = own
  return []
}

/** The details that a row has. */
export function detailsIn({ description, price, currency, bornOn, sex, tags }: DetailsRow) {
  return presentMembers<NewDetails>({
    ...{ description, bornOn, sex, tags },
    price: price === undefined ? undefined : { amount: price, currency },
  })
}
