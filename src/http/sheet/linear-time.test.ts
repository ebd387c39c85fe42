import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cases } from '../../../test/harness/extent.ts'
import { importBytesMax } from '../../contract/import-limits.ts'
import * as Type from '../../contract/type.ts'
import { compileSheet } from './read-sheet.ts'

const triesMax = 3
const row = Type.Object({ name: Type.String(), kind: Type.String() })
const readSheet = compileSheet({ create: row, update: row, oneOf: ['name'] })

const filled = (head: string, text: string) =>
  head + text.repeat(Math.floor((importBytesMax - head.length) / text.length))

/** Files of the largest size: what costs more than reading a usual one many times costs more than linear time. */
const files: [title: string, file: string][] = [
  ['empty lines', filled('', '\n')],
  ['single carriage returns', filled('', '\r')],
  ['a single line', filled('', 'a')],
  ['a header of empty quoted cells', filled('', '"",')],
  ['a header of cells, the last of them in quotes', `${filled('', 'a,').slice(0, -4)}"a"`],
  ['rows of empty cells', filled('', ',\n')],
  ['quotes that never close', filled('name,kind\n', '"a\n')],
  ['quotes in quotes that never close', filled('name,kind\n"', '""\n')],
  ['rows of one quoted cell', filled('name\n', '"a"\n')],
  ['a JSON array that never ends', filled('[', '[')],
  ['JSON strings of backslashes', filled('["', '\\')],
  ['JSON strings that never end', filled('[', '"\\"')],
  ['empty elements', filled('[', ',')],
  [
    'a column that nobody wants in each of 20,000, and rows without them',
    `name,kind${',x'.repeat(20_000)}\n${'a,1\n'.repeat(1_000)}`,
  ],
]
const usual = filled('name,kind,notes\n', `a,1,${'x'.repeat(2_200)}\n`)

for (const [title, file] of cases(files, { quickEvery: 3 })) {
  it(`a file takes time by its bytes: ${title}`, () => {
    const tookMs = { costly: [] as number[], usual: [] as number[] }
    for (let tries = 0; tries < triesMax; tries++) {
      tookMs.costly.push(msToRead(file))
      tookMs.usual.push(msToRead(usual))
    }

    // The fastest of each: other processes take part of the others.
    const ratio = Math.min(...tookMs.costly) / Math.min(...tookMs.usual)
    assert.ok(ratio < 1_000, `${ratio} times`)
  })
}

function msToRead(text: string): number {
  const bytes = Buffer.from(text)
  const startMs = performance.now()
  try {
    readSheet({ mediaType: undefined, bytes }, { columns: undefined, ignored: [] })
  } catch (error) {
    assert.equal((error as Error).name, 'ServiceError')
  }
  return performance.now() - startMs
}
