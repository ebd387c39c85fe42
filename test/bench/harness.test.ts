import assert from 'node:assert/strict'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileSystemOf } from '../../bench/harness/machine.ts'
import { requireShortLog } from '../../bench/harness/server.ts'
import { aDirectory } from '../processes/command.ts'

it('a write-ahead log that grows without checkpoints is an error', (t) => {
  const directory = aDirectory(t)
  const server = { name: 'this', file: join(directory, 'pets.db') }
  writeFileSync(`${server.file}-wal`, '')

  truncateSync(`${server.file}-wal`, 20 << 20)
  requireShortLog(server)
  truncateSync(`${server.file}-wal`, 80 << 20)
  assert.throws(() => requireShortLog(server), /^Error: The log of this has grown to 80 MiB/)
})

const skip = process.platform === 'linux' ? false : 'needs Linux'

it('the file system of a directory is the one that is mounted there', { skip }, () => {
  assert.equal(fileSystemOf('/proc/self'), 'proc')
})

it('a directory that does not exist has no file system', { skip }, () => {
  assert.throws(() => fileSystemOf('/no/such/directory'), /file system of \/no\/such\/directory/)
})
