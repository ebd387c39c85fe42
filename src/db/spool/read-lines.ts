const lineFeed = 0x0a

/** The lines of a text, without their ends; those of a slice together. A line that is too long is refused. */
export async function* readLines(
  slices: AsyncIterable<Uint8Array>,
  { lineMaxBytes, refuse }: { lineMaxBytes?: number; refuse?(line: number): Error } = {},
): AsyncGenerator<string[]> {
  let rest = Buffer.alloc(0)
  let read = 0
  for await (const slice of slices) {
    const bytes = Buffer.concat([rest, slice])
    const lines: string[] = []
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      lines.push(bytes.toString('utf8', start, end))
      start = end + 1
    }
    rest = bytes.subarray(start)
    read += lines.length
    if (lineMaxBytes !== undefined && rest.length > lineMaxBytes) throw refuse?.(read + 1)
    yield lines
  }
  if (rest.length > 0) yield [rest.toString('utf8')]
}
