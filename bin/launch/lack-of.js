/** More than `src/db/sqlite/connection.ts` demands: a Node with an older one reads a text up to its first zero byte only. */
const sqliteMin = [3, 53, 0]

/**
 * What the Node that runs this lacks to run the program, as the rest of a sentence; undefined where it lacks nothing.
 * Features decide: each line of releases has gained them with another version.
 */
export function lackOf({ versions }) {
  if (versions.bun !== undefined || versions.deno !== undefined) return 'is not the one of Node.js'
  if (typeof globalThis.DisposableStack !== 'function') return 'does not know `using`'
  if (!isAtLeast(versions.sqlite, sqliteMin)) {
    const has = versions.sqlite === undefined ? 'no SQLite' : `SQLite ${versions.sqlite}`
    return `has ${has}, and ${sqliteMin.join('.')} is needed`
  }
  return undefined
}

function isAtLeast(version = '0', least) {
  const parts = version.split('.').map(Number)
  const index = least.findIndex((part, place) => (parts[place] ?? 0) !== part)
  return index === -1 || (parts[index] ?? 0) > least[index]
}
