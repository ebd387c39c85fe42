import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }

/**
 * One character of Unicode, whichever, assigned or not: what the unit `binary` of fast-check is, which takes a second of
 * each process to list them all.
 */
export const anyCodePoint = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map((n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count))
