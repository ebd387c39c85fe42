// Runs on every Node, also on those that are too old.

/** More than `src/db/sqlite/check-library.ts` demands: that of Node 24.16. An older one reads a text up to its first zero byte only, so that damage would go unnoticed. */
const sqliteMin = '3.53.0'

/** Why a store in memory, or on disk, cannot be served by this Node, with what to do; undefined where it can. */
export function problemWithNode(place) {
  const { node, bun, deno, sqlite } = process.versions
  const name = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${node}`
  const isNode = !bun && !deno
  // Older ones, and 23, return no rows as arrays.
  if (!isNode || !isAtLeast(node, '22.16') || node.startsWith('23.'))
    return `${name} cannot run the pet store: install Node 26. A store in memory needs Node 22.16 or newer (not 23), one on disk 24.16.`
  const hasUsing = typeof globalThis.DisposableStack === 'function'
  if (place === 'memory' || (hasUsing && isAtLeast(sqlite, sqliteMin))) return undefined
  return `${name} with SQLite ${sqlite} serves stores in memory only: install Node 26, or 24.16 at least. A store on disk needs SQLite ${sqliteMin}.`
}

/** Whether a version is this one or a later one. Without a collator, whose first use takes 10 ms of each start. */
function isAtLeast(version = '0', least) {
  const [own, wanted] = [version, least].map((text) =>
    text.split('.').map((part) => Number.parseInt(part, 10)),
  )
  const at = wanted.findIndex((part, index) => part !== own[index])
  return at < 0 || own[at] > wanted[at]
}
