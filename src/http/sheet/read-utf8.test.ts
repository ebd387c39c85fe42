import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { it } from 'node:test'
import { readUtf8 } from './read-utf8.ts'

const size = 2 ** 18
const triesMax = 20
/** Normally 1.1; a line that costs what is left of the file makes it thousands. */
const ratioMax = 40

/** The time to read a file of this character alone. */
async function msToRead(character: string): Promise<number> {
  const chunk = Buffer.from(character.repeat(size))
  const startMs = performance.now()
  for await (const slice of readUtf8(Readable.from([chunk]))) assert.ok(slice.length > 0)
  return performance.now() - startMs
}

it('a file of empty lines takes hardly longer than one of a single line', async () => {
  const tookMs = { empty: [] as number[], single: [] as number[] }
  for (let tries = 0; tries < triesMax; tries++) {
    tookMs.empty.push(await msToRead('\n'))
    tookMs.single.push(await msToRead('a'))
  }

  // The fastest of each: other processes take part of the others.
  const ratio = Math.min(...tookMs.empty) / Math.min(...tookMs.single)
  assert.ok(ratio < ratioMax, `${ratio} times`)
})
