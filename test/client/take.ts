/** The first events of a stream. */
export async function take<T>(events: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = []
  for await (const event of events) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}
