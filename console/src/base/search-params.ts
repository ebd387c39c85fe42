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

/** Reads an address: the parameters that are accepted; what makes no sense there is left out. */
export function searchReader<Search extends object>(
  accepted: {
    [Name in keyof Search]-?: (value: unknown) => boolean
  },
): (address: Record<string, unknown>) => Search {
  const all = Object.entries(accepted) as [string, (value: unknown) => boolean][]
  return (address) =>
    Object.fromEntries(
      all
        .filter(([name, isAccepted]) => isAccepted(address[name]))
        .map(([name]) => [name, address[name]]),
    ) as Search
}

/** Whether a parameter of an address is an id. */
export function isIdText(text: unknown): boolean {
  return typeof text === 'string' && parseId(text) !== undefined
}

/** Whether a parameter of an address is a text that says something. */
export function isText(text: unknown): boolean {
  return typeof text === 'string' && text !== ''
}
