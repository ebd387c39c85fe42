/**
 * What JSON leaves as it is and a terminal or an editor does not: DEL and the C1 controls, which begin escape sequences;
 * separators of lines; marks that turn the direction of text.
 */
const unsafe = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** Escapes them in a line of JSON, where they can stand in strings alone. */
export function escapeUnsafe(json: string): string {
  return json.replace(unsafe, escaped)
}

/** Printable ASCII but for quotation mark and backslash, and the mark of a masked key. */
const plain = /^[ !#-[\]-~…]*$/
const notPlain = /[^ !#-[\]-~…]/g

/** A JSON string, in ASCII. */
export function quote(text: string): string {
  return plain.test(text) ? `"${text}"` : `"${text.replace(notPlain, escaped)}"`
}

/** For a terminal: anything but printable characters is shown as an escape. */
export function printable(text: string): string {
  return text.replace(/[\x00-\x1f]/g, escaped).replace(unsafe, escaped)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
