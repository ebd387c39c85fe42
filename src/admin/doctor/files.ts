import { error, type Finding, ok, warning } from './finding.ts'
import { listed } from './quantities.ts'

/** A file or folder as the operating system describes it. */
export type PathFacts = {
  path: string
  kind: 'file' | 'folder' | 'other'
  /** The permission bits. */
  mode: number
  uid: number
  links: number
  /** Whether this user may read and write it. */
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
export function checkFiles(facts: FilesFacts): Finding[] {
  if (facts.uid === undefined) return []
  const findings = [
    checkKind(facts),
    checkUsable(facts),
    checkOwners(facts),
    checkOthers(facts),
  ].filter((finding) => finding !== undefined)
  const [first] = facts.database
  if (findings.length === 0 && first !== undefined) {
    findings.push(ok('permissions', `${first.path} is readable and writable by its user alone.`))
  }
  return [...findings, ...checkFirstKey(facts)]
}

function checkKind({ database: [first] }: FilesFacts): Finding | undefined {
  if (first === undefined) return undefined
  if (first.kind !== 'file') {
    return error(
      'database',
      `${first.path} is not a file. Set PETSTORE_DATABASE to the file of a store.`,
    )
  }
  if (first.links === 1) return undefined
  return error(
    'database',
    `${first.path} is one of ${first.links} names (hard links) of the same file, so a start refuses it. Delete the other names, or make copies of them.`,
  )
}

function checkUsable({ folder, database, uid }: FilesFacts): Finding | undefined {
  const paths = [...(folder ? [folder] : []), ...database]
  const closed = paths.filter(({ isUsable }) => !isUsable).map(({ path }) => path)
  if (closed.length === 0) return undefined
  return error(
    'permissions',
    `This user (${uid}) may not read and write ${listed(closed)}. Run the service and its commands as the user that owns them, or change the owner.`,
  )
}

/** What another user's command has created, the service cannot open. */
function checkOwners({ database: [first, ...others] }: FilesFacts): Finding | undefined {
  if (first === undefined) return undefined
  const foreign = others.filter(({ uid }) => uid !== first.uid && first.uid !== root)
  if (foreign.length === 0) return undefined
  const names = listed(foreign.map(({ path, uid }) => `${path} to user ${uid}`))
  return error(
    'owner',
    `${first.path} belongs to user ${first.uid}, but ${names}: the service may be unable to start. Change the owner, and run commands as the user of the service.`,
  )
}

function checkOthers({ folder, database, isReachable }: FilesFacts): Finding | undefined {
  if (!isReachable.database) return undefined
  const paths = [...(folder ? [folder] : []), ...database]
  const writable = paths.filter(({ mode }) => mode & forOthers.write).map(({ path }) => path)
  if (writable.length > 0) {
    return error(
      'permissions',
      `Every user of this machine may change ${listed(writable)}. Take the right away: chmod o-w.`,
    )
  }
  const readable = database.filter(({ mode }) => mode & forOthers.read).map(({ path }) => path)
  if (readable.length === 0) return undefined
  return warning(
    'permissions',
    `Every user of this machine may read ${listed(readable)}. Take the right away: chmod o-r.`,
  )
}

function checkFirstKey({ firstKey, isReachable }: FilesFacts): Finding[] {
  if (firstKey === undefined) return []
  const { path, mode } = firstKey
  if ((mode & 0o077) === 0) {
    return [
      ok(
        'firstKey',
        `The first key is in ${path}, readable by its user alone. Delete the file once the key is kept elsewhere.`,
      ),
    ]
  }
  const isOpen = isReachable.firstKey || (mode & 0o070) !== 0
  const raise = isOpen ? error : warning
  return [
    raise(
      'firstKey',
      `The first key is in ${path}, which others may read (mode ${mode.toString(8).padStart(4, '0')}). Revoke that key, issue another one (petstore keys), and delete the file.`,
    ),
  ]
}
