import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { lockHolderOf } from './lock-holder.ts'

const path = fileURLToPath(import.meta.url)
const { dev, ino } = statSync(path)
const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)]
const device = [major, minor].map((part) => part.toString(16).padStart(2, '0')).join(':')

it('the holder of a lock is the process that the operating system names, and of this file alone', () => {
  const locks = (holder: string, inode: number) =>
    [
      '1: POSIX  ADVISORY  READ  1 00:1a:1 128 128',
      `2: FLOCK  ADVISORY  WRITE 11 ${device}:${ino} 0 EOF`,
      `3: POSIX  ADVISORY  READ  12 ${device}:${ino} 1073741826 1073742335`,
      `4: POSIX  ADVISORY  WRITE 13 00:ff:${ino} 0 EOF`,
      `5: POSIX  ADVISORY  WRITE ${holder} ${device}:${inode} 1073741824 1073742335`,
      '',
    ].join('\n')

  assert.equal(
    lockHolderOf(path, () => locks('4711', ino)),
    4711,
  )
  assert.equal(
    lockHolderOf(path, () => locks('4711', ino + 1)),
    undefined,
  )
  // A process of another namespace has no number here.
  assert.equal(
    lockHolderOf(path, () => locks('-1', ino)),
    undefined,
  )
  assert.equal(
    lockHolderOf(path, () => {
      throw new Error('ENOENT')
    }),
    undefined,
  )
})
