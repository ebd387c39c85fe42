import { access, constants, lstat, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { FilesFacts, PathFacts } from './files.ts'

/** What the operating system says of the files of a store; `path` is absent for PostgreSQL. */
export async function describeFiles(
  path: string | undefined,
  firstKeyFile: string,
): Promise<FilesFacts> {
  const endings = ['', '-wal', '-shm', '.lock', '.witness']
  const files = path === undefined ? [] : endings.map((ending) => resolve(path) + ending)
  const database = await Promise.all(files.map(describePath))
  return {
    uid: process.getuid?.(),
    folder: path === undefined ? undefined : await describePath(dirname(resolve(path))),
    database: database.filter((facts) => facts !== undefined),
    firstKey: await describePath(resolve(firstKeyFile)),
    isReachable: {
      database: path !== undefined && (await letsOthersPass(path)),
      firstKey: await letsOthersPass(firstKeyFile),
    },
  }
}

async function describePath(path: string): Promise<PathFacts | undefined> {
  const entry = (await stat(path).catch(absent)) ?? (await lstat(path).catch(absent))
  if (entry === undefined) return undefined
  return {
    path,
    kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other',
    mode: entry.mode & 0o7777,
    uid: entry.uid,
    links: entry.isFile() ? entry.nlink : 1,
    isUsable: await access(path, constants.R_OK | constants.W_OK).then(
      () => true,
      () => false,
    ),
  }
}

function absent(): undefined {
  return undefined
}

/** Whether every folder above has the right `x` for others. */
async function letsOthersPass(path: string): Promise<boolean> {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const entry = await stat(folder).catch(absent)
    if (entry === undefined || (entry.mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
