import { closeSync, openSync } from 'node:fs'
import { fill, isPageSize } from './loss/log-format.ts'

const headerBytes = 100
const interiorOfTable = 0x05
/** The schema of a store has a few pages. */
const pagesMax = 100

/**
 * Whether the pages of the schema of a file form a tree (sqlite.org/fileformat2.html, section 1.6). SQLite reads a page as often
 * as others lead to it, in 20 levels: with a file of a few pages, reading the schema may have no end.
 */
export function isSchemaTree(path: string): boolean {
  const descriptor = openSync(path, 'r')
  try {
    const header = Buffer.alloc(headerBytes)
    if (!fill(descriptor, header, 0)) return false
    const stored = header.readUInt16BE(16)
    const pageSize = stored === 1 ? 65_536 : stored
    if (!isPageSize(pageSize)) return false
    const page = Buffer.alloc(pageSize)
    const seen = new Set<number>()
    const waiting = [1]
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      if (number === 0 || seen.has(number) || seen.size === pagesMax) return false
      seen.add(number)
      if (!fill(descriptor, page, (number - 1) * pageSize)) return false
      waiting.push(...childrenIn(page, number === 1 ? headerBytes : 0))
    }
    return true
  } finally {
    closeSync(descriptor)
  }
}

/** The pages to which a page leads whose header is at `start`; 0 for what is none. */
function childrenIn(page: Buffer, start: number): number[] {
  if (page[start] !== interiorOfTable) return []
  const pointers = start + 12
  const count = Math.min(page.readUInt16BE(start + 3), (page.length - pointers) >> 1)
  const cells = Array.from({ length: count }, (_, index) => page.readUInt16BE(pointers + 2 * index))
  return [start + 8, ...cells].map((at) => (at + 4 <= page.length ? page.readUInt32BE(at) : 0))
}
