import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { placeFile } from './place-file.ts'

it('a file is synced before it gets its name, and its folder afterwards', () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'petstore-place-'))
  const [file, name] = [join(folder, 'new'), join(folder, 'placed')]
  fs.writeFileSync(file, 'all of it')
  const steps: string[] = []

  // Nothing else runs until these are restored.
  const { fsyncSync, renameSync } = fs
  fs.fsyncSync = (descriptor) => {
    steps.push(fs.fstatSync(descriptor).isDirectory() ? 'sync folder' : 'sync file')
    fsyncSync(descriptor)
  }
  fs.renameSync = (from, to) => {
    steps.push('rename')
    renameSync(from, to)
  }
  syncBuiltinESMExports()
  try {
    placeFile(file, name)
  } finally {
    Object.assign(fs, { fsyncSync, renameSync })
    syncBuiltinESMExports()
  }

  assert.deepEqual(steps, ['sync file', 'rename', 'sync folder'])
  assert.deepEqual(fs.readdirSync(folder), ['placed'])
  fs.rmSync(folder, { recursive: true })
})

it('a file that SQLite could not complete when it closed it gets no name', () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'petstore-place-'))
  const [file, name] = [join(folder, 'new'), join(folder, 'placed')]
  fs.writeFileSync(file, 'a part of it')
  fs.writeFileSync(`${file}-wal`, 'the rest')

  assert.throws(() => placeFile(file, name), /new is not complete: its log could not be copied/)

  assert.deepEqual(fs.readdirSync(folder), ['new', 'new-wal'])
  fs.rmSync(folder, { recursive: true })
})
