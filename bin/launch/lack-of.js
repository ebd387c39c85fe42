/** More than `src/db/sqlite/check-library.ts` demands: a Node with an older one reads a text up to its first zero byte only. */
const sqliteMin = [3, 53, 0]

/**
 * What the Node that runs this lacks to run the program, as the rest of a sentence; undefined where it lacks nothing.
 * Checks features, since each release line gained them in another version. Node 24.16 and newer have all.
 */
export function lackOf({ versions }) {
  if (isOther(versions)) return 'is not the one of Node.js'
  if (typeof globalThis.DisposableStack !== 'function') return 'does not know `using`'
  if (!isAtLeast(versions.sqlite, sqliteMin)) {
    const has = versions.sqlite === undefined ? 'no SQLite' : `SQLite ${versions.sqlite}`
    return `has ${has}, and ${sqliteMin.join('.')} is needed`
  }
  return undefined
}

/** What it lacks to serve a store in memory. Node 22.16, 24.0 and newer have all. */
export function lackOfMemory({ versions }) {
  if (isOther(versions)) return 'is not the one of Node.js'
  if (versions.sqlite === undefined) return 'has no SQLite'
  const hasArrays = 'setReturnArrays' in (loadSqlite()?.StatementSync.prototype ?? {})
  return hasArrays ? undefined : 'has a `node:sqlite` that cannot return rows as arrays'
}

/** Suppresses the warning that it is experimental: users cannot act on it. */
function loadSqlite() {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return process.getBuiltinModule?.('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

function isOther({ bun, deno }) {
  return bun !== undefined || deno !== undefined
}

function isAtLeast(version = '0', least) {
  const parts = version.split('.').map(Number)
  const index = least.findIndex((part, place) => (parts[place] ?? 0) !== part)
  return index === -1 || (parts[index] ?? 0) > least[index]
}
