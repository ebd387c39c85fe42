import { lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { readFileHeader, storeId } from './file-header.ts'

/** A file that is a store, by its header. */
type StoreFile = { name: string; sizeBytes: number; changedAtMs: number }

const shownMax = 5

/** Closing any descriptor of a file drops this process's locks on it: its own files must not be opened. */
const besideDatabases = /(?:-wal|-shm|-journal|\.lock)$/

/** The other stores in the folder of a database, for messages: a mistyped path may have meant one of them. */
export function describeOtherStores(path: string): string[] {
  const stores = listOtherStores(path)
  const shown = stores.slice(0, shownMax).map(({ name, sizeBytes, changedAtMs }) => {
    const changed = new Date(changedAtMs).toISOString().slice(0, 10)
    return `${name} (${sizeOf(sizeBytes)}, changed ${changed})`
  })
  return stores.length > shownMax ? [...shown, `${stores.length - shownMax} more`] : shown
}

function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** The latest first; empty where the folder cannot be read. */
function listOtherStores(path: string): StoreFile[] {
  const folder = dirname(resolve(path))
  try {
    return readdirSync(folder)
      .filter((name) => name !== basename(path) && !besideDatabases.test(name))
      .flatMap((name) => describe(folder, name))
      .sort((one, other) => other.changedAtMs - one.changedAtMs)
  } catch {
    return []
  }
}

function describe(folder: string, name: string): StoreFile[] {
  const path = join(folder, name)
  try {
    const entry = lstatSync(path)
    const { size, mtimeMs } = entry
    // Opening a pipe would wait for its writer, and a link may lead to a file of this process.
    return entry.isFile() && readFileHeader(path)?.id === storeId
      ? [{ name, sizeBytes: size, changedAtMs: mtimeMs }]
      : []
  } catch {
    return []
  }
}
