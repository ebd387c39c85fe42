import { readFileSync, statSync } from 'node:fs'

/** `1: POSIX  ADVISORY  WRITE 4711 08:01:131074 …`: the process, and the file's device and inode. */
const posixLock = /^\d+: POSIX +\w+ +WRITE +([1-9]\d*) +([\da-f]+):([\da-f]+):(\d+) /gm

/** The process that holds a lock on a file, as far as the operating system tells: Linux does. */
export function lockHolderOf(path: string, readLocks = readProcLocks): number | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    const locks = [...readLocks().matchAll(posixLock)]
    const found = locks.find(
      ([, , major = '', minor = '', inode = '']) =>
        BigInt(inode) === ino &&
        deviceOf(Number.parseInt(major, 16), Number.parseInt(minor, 16)) === dev,
    )
    return found === undefined ? undefined : Number(found[1])
  } catch {
    return undefined
  }
}

function readProcLocks(): string {
  return readFileSync('/proc/locks', 'utf8')
}

/** As glibc puts a device number together. */
function deviceOf(major: number, minor: number): bigint {
  const [high, low] = [BigInt(major), BigInt(minor)]
  return (
    (low & 0xffn) | ((high & 0xfffn) << 8n) | ((low & ~0xffn) << 12n) | ((high & ~0xfffn) << 32n)
  )
}
