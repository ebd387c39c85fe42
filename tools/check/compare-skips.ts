const conditionalMark = 'conditional: '

/**
 * Compares the list of skipped tests with those that a run skipped; returns a sentence for each difference. Both are lines of
 * `test name — reason`; in the list `# …` is a comment, and a reason that begins with `conditional: ` may not apply.
 */
export function compareSkips(listed: string, skipped: string): string[] {
  const isListed = new Map(linesOf(listed).map(parseSkip))
  const isSkipped = new Set(linesOf(skipped))
  const unlisted = [...isSkipped].filter((skip) => !isListed.has(skip))
  const unskipped = [...isListed].filter(([skip, isSure]) => isSure && !isSkipped.has(skip))
  return [
    ...unlisted.map((skip) => `Skipped, but not in test/skips.txt: ${skip}`),
    ...unskipped.map(([skip]) => `In test/skips.txt, but not skipped: ${skip}`),
  ]
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

function parseSkip(line: string): [skip: string, isSure: boolean] {
  const isSure = !line.includes(` — ${conditionalMark}`)
  return [line.replace(` — ${conditionalMark}`, ' — '), isSure]
}
