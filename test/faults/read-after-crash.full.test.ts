import assert from 'node:assert/strict'
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { petsList } from '../../src/features/pets/queries.ts'
import { crashStore, serveStore } from '../harness/crashed-store.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

const pets = 5
const anyPage = { filter: {}, page: { limit: 100, sort: 'id', after: undefined } } as const

const changes = [
  { title: 'whose witness was not synced', change: (path: string) => unsync(`${path}.witness`) },
  { title: 'without a witness', change: (path: string) => rmSync(`${path}.witness`) },
]
for (const { title, change } of changes) {
  it(`after commands that only read, a crashed store ${title} starts with all of its records`, async (t) => {
    const directory = aDirectory(t)
    const path = await crashStore(directory, { pets })
    change(path)
    const env = { PETSTORE_DATABASE: `sqlite:${path}` }

    for (const [expected, ...args] of [
      [0, 'verify'],
      [0, 'deprecations'],
      [0, 'backup', join(directory, 'a.backup')],
    ] as [number, ...string[]][]) {
      const { code, stderr } = await petstoreInThread(args, { env })

      assert.equal(code, expected, stderr)
    }
    const db = await serveStore(path)
    const { items } = await db.read(petsList.select, anyPage)
    await db.close()
    assert.equal(items.length, pets)
  })
}

/** What a power cut leaves of a new file whose length alone was synced. */
function unsync(file: string) {
  const { length } = readFileSync(file)
  truncateSync(file)
  writeFileSync(file, Buffer.alloc(length))
}
