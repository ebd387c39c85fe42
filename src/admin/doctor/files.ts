import { access, constants, lstat, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Checks } from './finding.ts'
import { listed } from './quantities.ts'

/** A file or folder as the operating system describes it; `isUsable` where this user may read and write it. */
export type PathFacts = {
  path: string
  mode: number
  uid: number
  links: number
  isUsable: boolean
}

export type FilesFacts = {
  /** The user of this process; `undefined` where the system has no such users. */
  uid: number | undefined
  folder: PathFacts | undefined
  /** The database, its log, the log's index, its lock and its witness, as far as they exist. */
  database: readonly PathFacts[]
  firstKey: PathFacts | undefined
  /** Whether every folder above the first key's file, and above the database, lets others pass. */
  isReachable: { database: boolean; firstKey: boolean }
}

const root = 0
const forOthers = { read: 0o004, write: 0o002 }

/** Who may use the files of a store. */
export const filesChecks: Checks<FilesFacts> = {
  database: ({ database: [first] }) =>
    first !== undefined &&
    first.links > 1 && {
      error: `${first.path} is one of ${first.links} names (hard links) of the same file, so a start refuses it. Delete the other names, or make copies of them.`,
    },

  /** The service cannot open files that another user's command has created. */
  owner({ database: [first, ...others] }) {
    const foreign = others.filter(({ uid }) => uid !== first?.uid && first?.uid !== root)
    if (first === undefined || foreign.length === 0) return false
    const names = listed(foreign.map(({ path, uid }) => `${path} to user ${uid}`))
    return {
      error: `${first.path} belongs to user ${first.uid}, but ${names}: the service may be unable to start. Change the owner, and run commands as the user of the service.`,
    }
  },

  permissions({ uid, folder, database, isReachable }) {
    if (uid === undefined) return false
    const all = [...(folder ? [folder] : []), ...database]
    const namesOf = (paths: readonly PathFacts[]) => listed(paths.map(({ path }) => path))
    const closed = all.filter(({ isUsable }) => !isUsable)
    if (closed.length > 0) {
      return {
        error: `This user (${uid}) may not read and write ${namesOf(closed)}. Run the service and its commands as the user that owns them, or change the owner.`,
      }
    }
    const openTo = (right: number) => (one: PathFacts) => isReachable.database && one.mode & right
    const writable = all.filter(openTo(forOthers.write))
    if (writable.length > 0) {
      return {
        error: `Every user of this machine may change ${namesOf(writable)}. Take the right away: chmod o-w.`,
      }
    }
    const readable = database.filter(openTo(forOthers.read))
    if (readable.length > 0) {
      return {
        warning: `Every user of this machine may read ${namesOf(readable)}. Take the right away: chmod o-r.`,
      }
    }
    const [first] = database
    return (
      first !== undefined && { ok: `${first.path} is readable and writable by its user alone.` }
    )
  },

  firstKey({ uid, firstKey, isReachable }) {
    if (uid === undefined || firstKey === undefined) return false
    const { path, mode } = firstKey
    if ((mode & 0o077) === 0) {
      return {
        ok: `The first key is in ${path}, readable by its user alone. Delete the file once the key is kept elsewhere.`,
      }
    }
    const isOpen = isReachable.firstKey || (mode & 0o070) !== 0
    return {
      [isOpen ? 'error' : 'warning']:
        `The first key is in ${path}, which others may read (mode ${mode.toString(8).padStart(4, '0')}). Revoke that key, issue another one (petstore keys), and delete the file.`,
    }
  },
}

/** What the operating system says of the files of a store; `path` is absent for PostgreSQL. */
export async function describeFiles(
  path: string | undefined,
  firstKeyFile: string,
): Promise<FilesFacts> {
  const endings = path === undefined ? [] : ['', '-wal', '-shm', '.lock', '.witness']
  const database = await Promise.all(endings.map((ending) => describePath(path + ending)))
  return {
    uid: process.getuid?.(),
    folder: path === undefined ? undefined : await describePath(dirname(path)),
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
  return (
    entry && {
      path,
      mode: entry.mode & 0o7777,
      uid: entry.uid,
      links: entry.isFile() ? entry.nlink : 1,
      isUsable: await access(path, constants.R_OK | constants.W_OK).then(
        () => true,
        () => false,
      ),
    }
  )
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
