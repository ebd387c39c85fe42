/** Older libraries can corrupt a database when a WAL is reset while it is read. */
const libraryMin = '3.51.3'

/** Throws when Node's SQLite library is too old. */
export function checkLibrary(version = process.versions.sqlite): void {
  if (numberOf(version ?? '0') >= numberOf(libraryMin)) return
  throw new Error(`SQLite ${libraryMin} or newer is needed; this Node carries ${version}.`)
}

/** As SQLite numbers its versions. */
function numberOf(version: string): number {
  return version.split('.').reduce((number, part) => number * 1_000 + Number(part), 0)
}
