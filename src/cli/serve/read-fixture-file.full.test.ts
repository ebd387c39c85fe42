import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { readFixtureFile } from './read-fixture-file.ts'

it('64: a fixture that may never end, or is too large, is refused at once', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-fixture-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = (name: string) => join(folder, name)
  execFileSync('mkfifo', [path('pipe')])
  for (const [name, bytes] of [
    ['large', 4_194_305],
    ['whole', 4_194_304],
  ] as const) {
    writeFileSync(path(name), '')
    truncateSync(path(name), bytes)
  }
  writeFileSync(path('pets'), '{"pets":[{"name":"Rex"}]}')
  const cases: [string, RegExp][] = [
    [path('pipe'), /pipe cannot be read: it is not a file; --fixture - reads standard input\.$/],
    ['/dev/zero', /^--fixture \/dev\/zero cannot be read: it is not a file/],
    [folder, /cannot be read: it is not a file/],
    [path('large'), /cannot be read: it has more than 4194304 bytes\.$/],
    [path('whole'), /is not JSON/],
    [path('none'), /cannot be read: there is no such file\.$/],
  ]

  for (const [file, sentence] of cases) {
    await assert.rejects(readFixtureFile(file), { name: 'ExitError', message: sentence })
  }
  assert.equal((await readFixtureFile(path('pets'))).pets.length, 1)
})
