/** A value that fits is one line. With each value on a line of its own, a third of the document would be indentation. */
const lineMax = 300

/** Writes JSON in few but readable lines, so that a change of the document shows as a change of the lines it concerns. */
export function writeJson(value: unknown, indent = '', before = 0): string {
  const line = JSON.stringify(value)
  const isScalar = typeof value !== 'object' || value === null
  if (isScalar || indent.length + before + line.length <= lineMax) return line
  const inner = `${indent} `
  const parts = Array.isArray(value)
    ? value.map((item) => writeJson(item, inner))
    : Object.entries(value).map(([name, part]) => {
        const start = `${JSON.stringify(name)}:`
        return start + writeJson(part, inner, start.length)
      })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}
