const regexMayFollow = /(?:^|[(,=:[!&|?{;+\-*%<>~^]|\b(?:return|typeof|case|of|in))\s*$/

/**
 * Source without comments; each literal in `code` is `'n'`, its text `literals[n]`. `expressions` are the regular
 * ones, as written. Sufficient for code that Biome formats.
 */
export type Scanned = { code: string; literals: string[]; expressions: string[] }

export function scan(source: string): Scanned {
  const scanned = known.get(source) ?? read(source)
  known.set(source, scanned)
  return scanned
}

const known = new Map<string, Scanned>()

function read(source: string): Scanned {
  const literals: string[] = []
  const expressions: string[] = []
  let position = 0

  function scanUntil(end: string): string {
    let code = ''
    let depth = 0
    while (position < source.length) {
      const plain = /[^'"`/{}]*/y
      plain.lastIndex = position
      code += plain.exec(source)?.[0] ?? ''
      position = plain.lastIndex
      const char = source.charAt(position)
      if (char === end && depth === 0) break
      if (char === '{') depth += 1
      if (char === '}') depth -= 1
      code += take(code)
    }
    position += end.length
    return code
  }

  function take(codeBefore: string): string {
    const char = source.charAt(position)
    const pair = source.slice(position, position + 2)
    if (pair === '//') return skip(/[^\n]*/y, '')
    if (pair === '/*') return skip(/\/\*[\s\S]*?\*\//y, ' ')
    if (char === "'" || char === '"') return takeLiteral(/(['"])(?:\\[\s\S]|(?!\1)[^\\\n])*\1/y)
    if (char === '`') return takeTemplate()
    if (char === '/' && regexMayFollow.test(codeBefore.slice(-12))) {
      return takeExpression(/\/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[\n])+\/[a-z]*/y)
    }
    position += 1
    return char
  }

  function skip(pattern: RegExp, instead: string): string {
    return match(pattern) === '' ? '' : instead
  }

  function takeLiteral(pattern: RegExp): string {
    return literal(match(pattern).slice(1, -1))
  }

  function takeExpression(pattern: RegExp): string {
    const text = match(pattern)
    expressions.push(text)
    return literal(text.slice(1, -1))
  }

  function takeTemplate(): string {
    const index = literals.push('') - 1
    let text = ''
    let expressions = ''
    position += 1
    while (position < source.length) {
      text += match(/(?:\\[\s\S]|\$(?!\{)|[^`\\$])*/y)
      const isEnd = source.charAt(position) === '`'
      position += isEnd ? 1 : 2
      if (isEnd) break
      text += '?'
      expressions += ` + (${scanUntil('}')})`
    }
    literals[index] = text
    return `'${index}'${expressions}`
  }

  function literal(text: string): string {
    return `'${literals.push(text) - 1}'`
  }

  function match(pattern: RegExp): string {
    pattern.lastIndex = position
    const text = pattern.exec(source)?.[0] ?? source.charAt(position)
    position += text.length
    return text
  }

  return { code: scanUntil(''), literals, expressions }
}
