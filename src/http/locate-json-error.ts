/** RFC 8259's tokens. */
const tokenPattern =
  /[ \t\n\r]*(?:([[\]{}:,])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\d.eE+-])|true(?!\w)|false(?!\w)|null(?!\w)))/y

type Expected =
  | 'a value'
  | 'a value or ]'
  | 'a name in double quotes'
  | 'a name in double quotes or }'
  | ':'
  | ', or ]'
  | ', or }'
  | 'the end'

/**
 * Says where a text stops being JSON, as `unexpected "x" at line 1, column 7; expected a value`.
 * The engine's own message names the place only for some errors.
 */
export function locateJsonError(text: string): string {
  const open: ('[' | '{')[] = []
  let expected: Expected = 'a value'
  let position = 0

  function afterValue(): Expected {
    const container = open.at(-1)
    return container === undefined ? 'the end' : container === '[' ? ', or ]' : ', or }'
  }

  while (true) {
    tokenPattern.lastIndex = position
    const match = tokenPattern.exec(text)
    if (!match) return describe(text, position, expected)
    const [token, punctuation, string, literal] = match
    const next = nextExpected(expected, punctuation, string !== undefined, literal !== undefined)
    if (next === undefined) return describe(text, position, expected)
    if (next === 'open') {
      open.push(punctuation as '[' | '{')
      expected = punctuation === '[' ? 'a value or ]' : 'a name in double quotes or }'
    } else if (next === 'close') {
      open.pop()
      expected = afterValue()
    } else if (next === 'comma') {
      expected = open.at(-1) === '[' ? 'a value' : 'a name in double quotes'
    } else {
      expected = next === 'after value' ? afterValue() : next
    }
    position += token.length
  }
}

function nextExpected(
  expected: Expected,
  punctuation: string | undefined,
  isString: boolean,
  isLiteral: boolean,
) {
  switch (expected) {
    case 'a value':
    case 'a value or ]':
      if (isString || isLiteral) return 'after value'
      if (punctuation === '[' || punctuation === '{') return 'open'
      return expected === 'a value or ]' && punctuation === ']' ? 'close' : undefined
    case 'a name in double quotes':
    case 'a name in double quotes or }':
      if (isString) return ':'
      return expected === 'a name in double quotes or }' && punctuation === '}'
        ? 'close'
        : undefined
    case ':':
      return punctuation === ':' ? 'a value' : undefined
    case ', or ]':
    case ', or }':
      if (punctuation === ',') return 'comma'
      return punctuation !== undefined && expected.endsWith(punctuation) ? 'close' : undefined
    case 'the end':
      return undefined
  }
}

function describe(text: string, from: number, expected: Expected): string {
  const position = from + (/^[ \t\n\r]*/.exec(text.slice(from))?.[0].length ?? 0)
  const before = text.slice(0, position)
  const line = before.split('\n').length
  const column = position - before.lastIndexOf('\n')
  const found =
    position < text.length
      ? JSON.stringify(String.fromCodePoint(text.codePointAt(position) ?? 0))
      : 'the end'
  return `unexpected ${found} at line ${line}, column ${column}; expected ${expected}`
}
