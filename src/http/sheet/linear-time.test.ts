import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as Type from '../../contract/type.ts'
import { readLines } from '../../db/spool/read-lines.ts'
import { readCsv } from './read-csv.ts'
import { compileSheet } from './read-sheet.ts'
import { readUtf8 } from './read-utf8.ts'

const triesMax = 3
const row = Type.Object({ name: Type.String(), kind: Type.String() })
const readSheet = compileSheet({ create: row, update: row })

/** The bytes of a text, so many in a chunk. */
async function* cut(text: string, chunkBytes = Infinity): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

function rowsOf(chunks: AsyncIterable<Buffer>): AsyncIterable<unknown> {
  const { signal } = new AbortController()
  const body = { mediaType: 'text/csv', chunks, signal }
  return readSheet(body, { columns: undefined, ignored: [] }, 2 ** 24).rows
}

/** Files of one size, as they are read: one that could cost more than linear time, another, and twenty times what is normal. */
const cases: [
  title: string,
  costly: () => AsyncIterable<unknown>,
  usual: () => AsyncIterable<unknown>,
  ratioMax: number,
][] = [
  [
    'empty lines, and a single line',
    () => readUtf8(cut('\n'.repeat(2 ** 18))),
    () => readUtf8(cut('a'.repeat(2 ** 18))),
    40,
  ],
  [
    'a column that nobody wants in each of 20,000, and rows without them',
    () => rowsOf(cut(`name,kind${',x'.repeat(20_000)}\n${'a,1\n'.repeat(10_000)}`)),
    () => rowsOf(cut(`name,kind\n${'a,1\n'.repeat(20_000)}`)),
    20,
  ],
]

for (const [title, costly, usual, ratioMax] of cases) {
  it(`a file takes time by its bytes: ${title}`, async () => {
    const tookMs = { costly: [] as number[], usual: [] as number[] }
    for (let tries = 0; tries < triesMax; tries++) {
      tookMs.costly.push(await msToRead(costly()))
      tookMs.usual.push(await msToRead(usual()))
    }

    // The fastest of each: other processes take part of the others.
    const ratio = Math.min(...tookMs.costly) / Math.min(...tookMs.usual)
    assert.ok(ratio < ratioMax, `${ratio} times`)
  })
}

async function msToRead(parts: AsyncIterable<unknown>): Promise<number> {
  const startMs = performance.now()
  for await (const part of parts) assert.ok(part)
  return performance.now() - startMs
}

const size = 2 ** 15

for (const [title, read] of [
  ['the first line of a CSV', readCsv],
  ['a line of JSON', readLines],
] as const) {
  it(`${title} that comes by single bytes is copied a few times`, async (t) => {
    const concat = t.mock.method(Buffer, 'concat')

    for await (const part of read(cut('a'.repeat(size), 1))) assert.ok(part)

    const copied = concat.mock.calls.reduce((sum, { result }) => sum + (result?.length ?? 0), 0)
    assert.ok(copied >= size && copied < 100 * size, `${copied} bytes`)
  })
}
