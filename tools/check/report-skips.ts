import type { TestEvent } from 'node:test/reporters'
import { createTitles } from './test-titles.ts'

/** A reporter for node's test runner: one line for each skipped test, as `test/skips.txt` has them. */
export default async function* reportSkips(events: AsyncIterable<TestEvent>) {
  const titleOf = createTitles()
  for await (const event of events) {
    const title = titleOf(event)
    if (event.type !== 'test:pass' || !event.data.skip) continue
    const reason = event.data.skip === true ? 'no reason given' : event.data.skip
    yield `${title} — ${reason}\n`
  }
}
