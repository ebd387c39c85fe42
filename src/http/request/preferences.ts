import { splitHeader } from './header-list.ts'

/** The preferences that are honoured. */
type Preferences = {
  /** `count=exact`: the number of all matching records. */
  countsExactly: boolean
  /** `handling=strict`: unknown parameters and members are refused. */
  isStrict: boolean
  /** `scopes`: the response names the scopes of the key. */
  wantsScopes: boolean
}

export const noPreferences: Preferences = {
  countsExactly: false,
  isStrict: false,
  wantsScopes: false,
}

/** The headers of a response to which `handling=strict` made a difference. */
export const strictApplied = { 'preference-applied': 'handling=strict' } as const

/** Parses `Prefer` (RFC 7240): of equal names the first counts, unknown ones are ignored. */
export function parsePreferences(prefer: string | string[]): Preferences {
  const values = preferenceValues(prefer)
  return {
    countsExactly: values.get('count') === 'exact',
    isStrict: values.get('handling') === 'strict',
    wantsScopes: values.has('scopes'),
  }
}

/** All preferences by name, in lower case. */
export function preferenceValues(prefer: string | string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const element of splitHeader(String(prefer), ',')) {
    const [preference = ''] = splitHeader(element, ';')
    const equals = preference.indexOf('=')
    const name = (equals === -1 ? preference : preference.slice(0, equals)).trim().toLowerCase()
    const value = equals === -1 ? '' : unquoted(preference.slice(equals + 1).trim()).toLowerCase()
    if (!values.has(name)) values.set(name, value)
  }
  return values
}

/** The text of a quoted string (RFC 9110, section 5.6.4); other texts are as they are. */
function unquoted(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text
  return text.slice(1, -1).replace(/\\(.)/g, '$1')
}
