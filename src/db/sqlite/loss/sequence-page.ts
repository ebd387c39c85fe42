import { isStoreName, type StoreRow, storeRowOf } from './store-row.ts'

const sectorBytes = 512
const leafOfTable = 0x0d
const cellsMax = 200

/** The row of the store in a page of the database, where that is the page of `sqlite_sequence`. */
export function findStoreRow(page: Buffer): StoreRow | undefined {
  if (page[0] !== leafOfTable) return undefined
  const count = page.readUInt16BE(3)
  if (count === 0 || count > cellsMax) return undefined
  const entries: [string, bigint][] = []
  let isTorn = false
  for (let index = 0; index < count; index++) {
    const cell = readCell(page, page.readUInt16BE(8 + 2 * index))
    if (!cell) return undefined
    entries.push([cell.name, cell.number])
    if (isStoreName(cell.name)) {
      isTorn = Math.floor(cell.start / sectorBytes) !== Math.floor((cell.end - 1) / sectorBytes)
    }
  }
  const row = storeRowOf(entries)
  return row && { ...row, isTorn }
}

type Cell = { name: string; number: bigint; start: number; end: number }

/** Bytes of an integer by its serial type (sqlite.org/fileformat2.html, section 2.1). */
const integerBytes = [undefined, 1, 2, 3, 4, 6, 8, undefined, 0, 0]

/** A cell of a row with a short text and an integer; `undefined` for any other. */
function readCell(page: Buffer, start: number): Cell | undefined {
  if (start < 8 || start + 6 > page.length) return undefined
  const payload = page[start] as number
  // The number of the row; its last byte is the first one without the high bit.
  let at = start + 1
  while (at < start + 10 && (page[at] as number) >= 0x80) at += 1
  const head = at + 1
  const [headBytes, textType, numberType] = page.subarray(head, head + 3)
  if (payload >= 0x80 || headBytes !== 3) return undefined
  const textBytes = ((textType as number) - 13) / 2
  const numberBytes = integerBytes[numberType as number]
  if (numberBytes === undefined || !Number.isInteger(textBytes) || textBytes < 1) return undefined
  const text = head + 3
  const end = text + textBytes + numberBytes
  if (payload !== end - head || end > page.length) return undefined
  const bytes = page.subarray(text + textBytes, end)
  const number = numberBytes === 0 ? BigInt(numberType === 9 ? 1 : 0) : integerOf(bytes)
  return { name: page.toString('utf8', text, text + textBytes), number, start, end }
}

function integerOf(bytes: Buffer): bigint {
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${bytes.toString('hex')}`))
}
