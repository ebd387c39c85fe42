import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { createApp } from '../src/app/app.ts'
import { provideFirstKey } from '../src/app/first-key.ts'
import { loadConfig } from '../src/config/config.ts'
import { aDirectory } from './processes/command.ts'

/** Issues a first key, in a folder, as a service on PostgreSQL that has no terminal does. */
async function provideOnPostgres(t: TestContext, cwd: string) {
  const store = loadConfig({}, { PETSTORE_DATABASE: 'sqlite::memory:' }).config
  const { config } = loadConfig({}, { PETSTORE_DATABASE: 'postgres://me:secret@db/petstore' })
  const app = await createApp({ config: store, logStream: { write: () => undefined } })
  const home = process.cwd()
  t.after(() => app.close())
  try {
    process.chdir(cwd)
    return await provideFirstKey(app.context, config, { isEphemeral: false, isData: false })
  } finally {
    process.chdir(home)
  }
}

it('on PostgreSQL the first key goes to data/ of the current folder, which others cannot read', async (t) => {
  const cwd = aDirectory(t)

  const first = await provideOnPostgres(t, cwd)

  assert.equal(first?.file, 'data/petstore-production.first-key')
  const file = join(cwd, first.file)
  assert.equal(readFileSync(file, 'utf8'), `${first.key}\n`)
  assert.deepEqual(readdirSync(cwd), ['data'], 'nothing lies in the folder itself')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(join(cwd, 'data')).mode & 0o777, 0o700)
})

it('73 missingDirectory: on PostgreSQL a file where data/ should be is named, and no key is issued', async (t) => {
  const cwd = aDirectory(t)
  writeFileSync(join(cwd, 'data'), '')

  await assert.rejects(provideOnPostgres(t, cwd), {
    reason: 'missingDirectory',
    message: /^The first key cannot be written to data\/petstore-production\.first-key: /,
  })
})
