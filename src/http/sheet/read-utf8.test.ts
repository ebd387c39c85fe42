import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { it } from 'node:test'
import { readUtf8 } from './read-utf8.ts'

const size = 2 ** 18
const triesMax = 5

/** The time to read a file of this character alone; the fastest of a few. */
async function msToRead(character: string): Promise<number> {
  const chunk = Buffer.from(character.repeat(size))
  let fastestMs = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < triesMax; tries++) {
    const startMs = performance.now()
    for await (const slice of readUtf8(Readable.from([chunk]))) assert.ok(slice.length > 0)
    fastestMs = Math.min(fastestMs, performance.now() - startMs)
  }
  return fastestMs
}

it('a file of empty lines takes hardly longer than one of a single line', async () => {
  assert.ok((await msToRead('\n')) < 10 * (await msToRead('a')))
})
