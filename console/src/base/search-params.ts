import { parseId } from './int64-text.ts'

/** The parameters of an address as they stand there: texts, so that an int64 keeps its digits. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

/** The opposite; parameters without a value are left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const set = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

type Accepted = Record<string, (value: unknown) => value is unknown>
type SearchOf<All extends Accepted> = {
  [Name in keyof All]?: All[Name] extends (value: unknown) => value is infer Value ? Value : never
}

/** Reads an address: the parameters that are accepted; what makes no sense there is left out. */
export function searchReader<All extends Accepted>(accepted: All) {
  return (address: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(accepted)
        .filter(([name, isAccepted]) => isAccepted(address[name]))
        .map(([name]) => [name, address[name]]),
    ) as SearchOf<All>
}

/** Whether a parameter of an address is an id. */
export function isIdText(text: unknown): text is string {
  return typeof text === 'string' && parseId(text) !== undefined
}

/** Whether a parameter of an address is an order of a list by names other than that of ids. */
export function isOtherOrder(text: unknown): text is '-id' | 'name' | '-name' {
  return text === '-id' || text === 'name' || text === '-name'
}

/** Whether a parameter of an address is a text that says something. */
export function isText(text: unknown): text is string {
  return typeof text === 'string' && text !== ''
}
