/** Splits a header's value at separators outside of quoted strings. */
export function splitHeader(value: string, separator: ',' | ';'): string[] {
  if (!value.includes('"')) return value.split(separator)
  const parts: string[] = []
  let isQuoted = false
  let start = 0
  for (let position = 0; position < value.length; position++) {
    const character = value[position]
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\\' && isQuoted) position++
    else if (character === separator && !isQuoted) {
      parts.push(value.slice(start, position))
      start = position + 1
    }
  }
  parts.push(value.slice(start))
  return parts
}

const weightPattern = /^q=(0(?:\.\d*)?|1(?:\.0*)?)$/

/**
 * The names in a header such as `Accept`, in lower case and without parameters, with their weights (RFC 9110, section
 * 12.4.2). Of equal names the highest weight counts; elements with an invalid weight are omitted.
 */
export function weightsOf(value: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const element of splitHeader(value.toLowerCase(), ',')) {
    const [name = '', ...parameters] = splitHeader(element, ';').map((part) => part.trim())
    const sent = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = sent === undefined ? 1 : Number(weightPattern.exec(sent)?.[1])
    if (weight >= (weights.get(name) ?? 0)) weights.set(name, weight)
  }
  return weights
}
