import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { it, type TestContext } from 'node:test'
import { itInFull } from '../harness/extent.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { openStore } from '../processes/postgres-store.ts'
import { launchService, settingsFor } from '../processes/process.ts'

/** A store in a file that was changed past the program. */
async function changedStore(t: TestContext, ...statements: string[]) {
  const env = settingsFor(aDirectory(t))
  const address = env.PETSTORE_DATABASE ?? ''
  await (await openStore(address)).close()
  const path = address.replace('sqlite:', '')
  using database = new DatabaseSync(path, { defensive: false })
  for (const statement of statements) database.exec(statement)
  return { env, path }
}

const theft = `create trigger theft after insert on keys begin
  update keys set revoked_at = null; end`

itInFull(
  '65 damaged: a start is refused where somebody has added a trigger; verify and doctor name it',
  async (t) => {
    const { env, path } = await changedStore(t, theft)

    const served = await petstoreInThread(['serve', '--json'], { env })
    const verified = await petstoreInThread(['verify'], { env })
    const examined = await petstoreInThread(['doctor', '--json'], { env })

    assert.deepEqual([served.code, served.stdout], [65, ''])
    assert.equal(
      served.stderr,
      `${path} has another schema than its migrations make: the trigger theft is foreign. Nothing was changed; undo these changes.\n`,
    )
    assert.equal(verified.code, 79)
    assert.match(verified.stdout, /In the schema the trigger theft is foreign\./)
    assert.match(
      examined.stdout,
      /"error"[^}]*the trigger theft is foreign\. Nothing was changed; undo these changes\./,
    )
  },
)

it('65 damaged: a start is refused where a constraint is missing', async (t) => {
  const { env } = await changedStore(
    t,
    'pragma writable_schema = on',
    "update sqlite_schema set sql = replace(sql, 'reserved between 0 and on_hand', 'true') where name = 'pets'",
  )

  const { code, stderr } = await petstoreInThread(['serve', '--json'], { env })

  assert.equal(code, 65, stderr)
  assert.match(stderr, /: the table pets was changed\. Nothing was changed; /)
})

itInFull('a start warns of a missing index and of a table of others, and serves', async (t) => {
  const { env } = await changedStore(t, 'drop index pets_status', 'create table audit (id integer)')

  await using launch = launchService({ env })
  await launch.ready
  const { stderr } = await launch.stop()

  const told = stderr.split('\n').filter((line) => line.includes('another schema'))
  assert.equal(told.length, 1, stderr)
  assert.match(told[0] ?? '', /the table audit is foreign; the index pets_status is missing\."/)
})
