/** A part of a Markdown file that is written by a program: what encloses it, and the heading before which it stands; at the end without one. */
export type Place = { begin: string; end: string; before?: string }

/** What stands in this place, marks included; `undefined` where there is nothing. */
export function findSection(text: string, { begin, end }: Place): string | undefined {
  const start = text.indexOf(begin)
  const stop = text.indexOf(end)
  return start < 0 || stop < start ? undefined : text.slice(start, stop + end.length)
}

/** The text with these lines in this place, instead of what stands there. Throws where the heading is missing. */
export function withSection(text: string, place: Place, section: string): string {
  const old = findSection(text, place)
  if (old !== undefined) return text.replace(old, () => section)
  const { before } = place
  if (before === undefined) return `${text.trimEnd()}\n\n${section}\n`
  if (!text.includes(`\n${before}\n`))
    throw new Error(`There is no '${before}' to put figures before.`)
  return text.replace(`\n${before}\n`, () => `\n${section}\n\n${before}\n`)
}
