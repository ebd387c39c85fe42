import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { fileSystemOf } from '../../bench/harness/machine.ts'

function ownDirectory(t: TestContext): string {
  const own = realpathSync(mkdtempSync(join(tmpdir(), 'petstore-mounts-')))
  t.after(() => rmSync(own, { recursive: true }))
  for (const name of ['in', 'inner', 'with space', 'on']) mkdirSync(join(own, name))
  symlinkSync(join(own, 'in'), join(own, 'link'))
  return own
}

it('a directory is on what is mounted next above it', (t) => {
  const own = ownDirectory(t)
  const mounts = [
    'root / ext4 rw 0 0',
    `one ${own}/in xfs rw 0 0`,
    `two ${own}/with\\040space btrfs rw 0 0`,
    `three ${own}/on ext2 rw 0 0`,
    `four ${own}/on tmpfs rw 0 0`,
    '',
  ].join('\n')

  const types = ['in', 'link', 'inner', 'with space', 'on', '.'].map((name) =>
    fileSystemOf(join(own, name), mounts),
  )

  assert.deepEqual(types, ['xfs', 'xfs', 'ext4', 'btrfs', 'tmpfs', 'ext4'])
  assert.equal(fileSystemOf('/', mounts), 'ext4')
})

it('a directory that is not there is on nothing', () => {
  assert.throws(() => fileSystemOf('/no/such/directory', ''), { code: 'ENOENT' })
})

const skip = process.platform === 'linux' ? false : 'needs Linux'

it('what is mounted is read from the kernel', { skip }, () => {
  assert.equal(fileSystemOf('/proc/self/fd'), 'proc')
})
