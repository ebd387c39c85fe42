/** A string, a number or a word, or a single mark. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * Shows JSON indented and coloured, every token as it was sent: no number is read, so none is rounded. A text that is not
 * JSON is shown as it is. Returns nodes of text alone.
 */
export function showJson(text) {
  const shown = document.createDocumentFragment()
  if (!isJson(text)) {
    shown.append(text)
    return shown
  }
  const tokens = text.match(token)
  let depth = 0
  const breakLine = () => shown.append(`\n${'  '.repeat(depth)}`)
  for (const [index, one] of tokens.entries()) {
    const next = tokens[index + 1]
    const isEmpty = (one === '{' && next === '}') || (one === '[' && next === ']')
    const closesEmpty = (one === '}' || one === ']') && '[{'.includes(tokens[index - 1])
    if ((one === '}' || one === ']') && !closesEmpty) {
      depth -= 1
      breakLine()
    }
    shown.append(nodeOf(one, next))
    if (one === ':') shown.append(' ')
    if ((one === '{' || one === '[') && !isEmpty) {
      depth += 1
      breakLine()
    }
    if (one === ',') breakLine()
  }
  return shown
}

function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function nodeOf(one, next) {
  if ('{}[],:'.includes(one)) return one
  const element = document.createElement('span')
  element.className = kindOf(one, next)
  element.textContent = one
  return element
}

function kindOf(one, next) {
  if (one.startsWith('"')) return next === ':' ? 'json-name' : 'json-text'
  return /^[-\d]/.test(one) ? 'json-number' : 'json-word'
}
