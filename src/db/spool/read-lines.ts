const lineFeed = 0x0a

/** The lines of a text, without their ends; those of a slice together. A line that is too long is refused. */
export async function* readLines(
  slices: AsyncIterable<Uint8Array>,
  { lineMaxBytes, refuse }: { lineMaxBytes?: number; refuse?(line: number): Error } = {},
): AsyncGenerator<string[]> {
  let rest: Uint8Array[] = []
  let restBytes = 0
  let read = 0
  for await (const slice of slices) {
    const end = slice.lastIndexOf(lineFeed)
    let lines: string[] = []
    if (end !== -1) {
      lines = Buffer.concat([...rest, slice.subarray(0, end)])
        .toString('utf8')
        .split('\n')
      rest = []
      restBytes = 0
    }
    rest.push(slice.subarray(end + 1))
    restBytes += slice.length - end - 1
    read += lines.length
    if (lineMaxBytes !== undefined && restBytes > lineMaxBytes) throw refuse?.(read + 1)
    yield lines
  }
  if (restBytes > 0) yield [Buffer.concat(rest).toString('utf8')]
}
