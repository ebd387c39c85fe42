import { headerBytes, readAt, readFileHeader } from './file-header.ts'

const interiorOfTable = 0x05
/** The schema of a store has a few pages. */
const pagesMax = 100

/**
 * Whether the pages of the schema of a file form a tree (sqlite.org/fileformat2.html, section 1.6). SQLite reads a page as often
 * as others lead to it, in 20 levels: with a file of a few pages, reading the schema may have no end.
 */
export function isSchemaTree(path: string): boolean {
  const header = readFileHeader(path)
  if (!header) return false
  const page = Buffer.alloc(header.pageSize)
  const seen = new Set<number>()
  const waiting = [1]
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (number === 0 || seen.has(number) || seen.size === pagesMax) return false
    seen.add(number)
    if (!readAt(path, page, (number - 1) * header.pageSize)) return false
    waiting.push(...childrenIn(page, number === 1 ? headerBytes : 0))
  }
  return true
}

/** The pages to which a page leads whose header is at `start`; 0 for what is none. */
function childrenIn(page: Buffer, start: number): number[] {
  if (page[start] !== interiorOfTable) return []
  const pointers = start + 12
  const count = Math.min(page.readUInt16BE(start + 3), (page.length - pointers) >> 1)
  const cells = Array.from({ length: count }, (_, index) => page.readUInt16BE(pointers + 2 * index))
  return [start + 8, ...cells].map((at) => (at + 4 <= page.length ? page.readUInt32BE(at) : 0))
}
