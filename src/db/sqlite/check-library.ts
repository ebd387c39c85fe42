/** Older libraries can corrupt a database when a WAL is reset while it is read. */
const libraryMin = '3.51.3'

/** Throws when Node's SQLite library is too old. */
export function checkLibrary(version = process.versions.sqlite): void {
  if ((version ?? '0').localeCompare(libraryMin, 'en', { numeric: true }) >= 0) return
  throw new Error(`SQLite ${libraryMin} or newer is needed; this Node carries ${version}.`)
}
