import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { it } from 'node:test'
import { crashStore } from '../harness/crashed-store.ts'
import { cases } from '../harness/extent.ts'
import { expectRefusal } from '../harness/refusal.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

/** What is no file; reading some of it never ends. */
const intruders = [
  { what: 'a link to /dev/zero', put: (path: string) => symlinkSync('/dev/zero', path) },
  { what: 'a directory', put: (path: string) => mkdirSync(path) },
  { what: 'a pipe', put: (path: string) => assert.equal(spawnSync('mkfifo', [path]).status, 0) },
]

for (const { what, put } of cases(intruders, { quickEvery: 3 })) {
  it(`a witness that is ${what} is not read, and counts as missing`, async (t) => {
    const path = await crashStore(aDirectory(t), { pets: 3 })
    rmSync(`${path}.witness`)
    put(`${path}.witness`)

    const { code, stdout, stderr } = await petstoreInThread(['verify'], {
      env: { PETSTORE_DATABASE: `sqlite:${path}` },
    })

    assert.equal(code, 0, stdout + stderr)
  })
}

for (const ending of ['-wal', '.lock']) {
  for (const { what, put } of cases(intruders, { quickEvery: 3 })) {
    it(`65 damaged: ${what} in the place of petstore.db${ending}`, async (t) => {
      const directory = aDirectory(t)
      const path = await crashStore(directory, { pets: 3 })
      rmSync(path + ending, { force: true })
      put(path + ending)

      await expectRefusal(directory, {
        reason: 'damaged',
        names: `petstore.db${ending}`,
        message: / is not a file\. Nothing was changed; move it away\.$/,
      })
    })
  }
}
