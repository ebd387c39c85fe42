import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileSystemOf } from '../../bench/harness/machine.ts'

const skip = process.platform === 'linux' ? false : 'needs Linux'

it('a directory is on the file system that is mounted next above it, also through a link', {
  skip,
}, (t) => {
  const own = mkdtempSync(join(tmpdir(), 'petstore-mounts-'))
  t.after(() => rmSync(own, { recursive: true }))
  symlinkSync('/proc/self/fd', join(own, 'link'))

  assert.equal(fileSystemOf('/proc'), 'proc')
  assert.equal(fileSystemOf('/proc/self/fd'), 'proc')
  assert.equal(fileSystemOf(join(own, 'link')), 'proc')
  assert.notEqual(fileSystemOf(own), 'proc')
  assert.throws(() => fileSystemOf('/no/such/directory'), { code: 'ENOENT' })
})
