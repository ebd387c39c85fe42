import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { loadConfig } from '../config/config.ts'
import { createApp } from './app.ts'

it('a start that fails while it loads the keys closes the database', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-app-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const path = join(directory, 'pets.db')
  const { config } = loadConfig(
    {},
    { PETSTORE_DATABASE: `sqlite:${path}`, PETSTORE_LOG_LEVEL: 'silent' },
  )
  const logStream = { write: () => undefined }
  await (await createApp({ config, logStream })).close()
  change(path, 'alter table keys_revision rename to elsewhere')

  await assert.rejects(createApp({ config, logStream }), /keys_revision/)

  change(path, 'alter table elsewhere rename to keys_revision')
  await (await createApp({ config, logStream })).close()
})

function change(path: string, sql: string) {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}
