import { quote } from './escape.ts'

/** Whether the value of a query parameter is one that the contract names or describes: never a text of the client's own. */
export type IsShown = (name: string, value: string) => boolean

/** The form of most targets. */
const plain = /^(?:\/(?:[a-z]{1,10}|v1|\d{1,19}))+$/
/** Words of paths, file names and ids. No key has this form. */
const segment = /^(?:[a-z][a-z-]{0,19}(?:\.[a-z]{1,5})?|v\d|\d{1,19}|)$/
const parameterName = /^(?!pet_)[A-Za-z][A-Za-z_-]{0,19}$/
const partsMax = 20
const hidden = '…'

/**
 * The target of a request for the log, as a JSON string: the path with its ids, the names of query parameters, and the values
 * that may be shown. All else is `…`, since it may be a key in any encoding.
 */
export function createShownTarget(isShown: IsShown): (url: string) => string {
  let last = { url: '', shown: '""' }
  return (url) => {
    if (plain.test(url)) return `"${url}"`
    // Consecutive requests mostly have one target.
    if (url !== last.url) last = { url, shown: quote(shownTarget(url, isShown)) }
    return last.shown
  }
}

function shownTarget(url: string, isShown: IsShown): string {
  const [path = '', ...rest] = url.split('?')
  const segments = firstOf(path.split('/')).map((text) => (segment.test(text) ? text : hidden))
  const shown = segments.join('/')
  if (rest.length === 0) return shown
  return `${shown}?${firstOf(rest.join('?').split('&'))
    .map((parameter) => shownParameter(parameter, isShown))
    .join('&')}`
}

function shownParameter(parameter: string, isShown: IsShown): string {
  const [name = '', ...values] = parameter.split('=')
  if (!parameterName.test(name)) return hidden
  if (values.length === 0) return name
  const value = values.join('=')
  return `${name}=${isShown(name, value) ? value : hidden}`
}

function firstOf(parts: readonly string[]): string[] {
  return parts.length > partsMax ? [...parts.slice(0, partsMax), hidden] : [...parts]
}
