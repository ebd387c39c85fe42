/** Older libraries can corrupt a database when a WAL is reset while it is read. */
const libraryMin = [3, 51, 3] as const

/** Throws when Node's SQLite library is too old. */
export function checkLibrary(version = process.versions.sqlite): void {
  const parts = (version ?? '0').split('.').map(Number)
  for (const [index, least] of libraryMin.entries()) {
    const part = parts[index] ?? 0
    if (part > least) return
    if (part < least) {
      throw new Error(
        `SQLite ${libraryMin.join('.')} or newer is needed; this Node carries ${version}.`,
      )
    }
  }
}
