import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it, type TestContext } from 'node:test'
import { compareSchema, schemaFile } from '../../src/db/postgres/compare-schema.ts'
import { sqlOn } from '../../src/db/postgres/sql.ts'
import { writePostgresSchema } from '../harness/postgres-schema.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'
import { openSession, openStore, serveRefused, settingsOn } from '../processes/postgres-store.ts'

describe('the schema of a store on PostgreSQL', () => {
  let server: PostgresServer
  before(async () => {
    server = await anyPostgres()
  })
  after(() => server?.stop())

  async function makeStore(t: TestContext) {
    const address = await server.createDatabase()
    t.after(() => server.dropDatabase(address))
    await (await openStore(address)).close()
    const session = await openSession(t, address)
    return { address, session }
  }

  it('is described as the migrations make it; if not, run npm run upgrade-store', async (t) => {
    const address = await server.createDatabase()
    t.after(() => server.dropDatabase(address))

    assert.equal(readFileSync(schemaFile, 'utf8'), await writePostgresSchema(address))
  })

  it('differs wherever a table, column, constraint, index, trigger or sequence is missing or changed', async (t) => {
    const { session } = await makeStore(t)
    assert.deepEqual(await compareSchema(sqlOn(session)), [])

    for (const [statement, ...expected] of changes) {
      await session.query(`begin; ${statement}`)
      const differences = await compareSchema(sqlOn(session))
      await session.query('rollback')

      const found = differences.map(({ kind, type, name }) => `${kind} ${type} ${name}`)
      assert.deepEqual(found.sort(), expected, statement)
    }
  })

  it('65 damaged: a start is refused where a constraint is missing; verify and doctor name it', async (t) => {
    const { address, session } = await makeStore(t)
    await session.query('alter table pets drop constraint pets_check')
    const env = settingsOn(t, address)

    const served = await serveRefused(t, address)
    const verified = await petstoreInThread(['verify'], { env })
    const examined = await petstoreInThread(['doctor', '--json'], { env })

    assert.equal(served.code, 65)
    assert.match(
      served.stderr,
      /^postgres:\S+ has another schema than its migrations make: the constraint pets\.pets_check is missing\. Nothing was changed; undo these changes\.\n$/,
    )
    assert.equal(verified.code, 79)
    assert.match(verified.stdout, /In the schema the constraint pets\.pets_check is missing\./)
    assert.equal(examined.code, 79)
    assert.match(
      examined.stdout,
      /the constraint pets\.pets_check is missing\. Nothing was changed; undo these changes\./,
    )
  })

  it('a trigger of others, a missing and a changed index are warned of; tables and indexes of others are not', async (t) => {
    const { address, session } = await makeStore(t)
    await session.query(`create table audit (id bigint);
      create index audited on pets (on_hand);
      create function noted() returns trigger language plpgsql as 'begin return new; end';
      create trigger audited before insert on pets for each row execute function noted()`)
    const env = settingsOn(t, address)
    const warnings: string[] = []

    await (await openStore(address, (sentence) => warnings.push(sentence))).close()
    const verified = await petstoreInThread(['verify'], { env })
    const listed = await petstoreInThread(['deprecations'], { env })
    const examined = await petstoreInThread(['doctor', '--json'], { env })
    await session.query(
      'drop index pets_status; drop index pets_name; create index pets_name on pets (name)',
    )
    await (await openStore(address, (sentence) => warnings.push(sentence))).close()

    const index = 'the index pets_name was changed'
    const trigger = 'the trigger pets.audited is foreign'
    assert.equal(warnings.length, 2)
    assert.match(warnings[0] ?? '', new RegExp(`make: ${trigger}\\.$`))
    assert.match(
      warnings[1] ?? '',
      new RegExp(`${index}; ${trigger}; the index pets_status is missing\\.$`),
    )
    assert.match(verified.stdout, /^ok {2}schema: /m)
    assert.equal(verified.stderr, `${warnings[0]}\n`)
    assert.deepEqual([listed.code, listed.stderr], [0, ''])
    assert.match(examined.stdout, new RegExp(`"warning"[^}]*${trigger}`))
  })
})

/** What is changed, and the differences. */
const changes: readonly [statement: string, ...differences: string[]][] = [
  ['alter table pets drop constraint pets_check', 'missing constraint pets.pets_check'],
  ['alter table pets alter name drop not null', 'changed column pets.name'],
  ['alter table pets alter record drop expression', 'changed column pets.record'],
  ['alter table categories drop column description', 'missing column categories.description'],
  ['alter table pets alter id set generated always', 'changed column pets.id'],
  ['alter sequence pets_id_seq increment -1', 'changed sequence pets_id_seq'],
  ['alter table readiness set unlogged', 'changed table readiness'],
  ['alter table pets enable row level security', 'changed table pets'],
  [
    'drop index pets_name; create unique index pets_name on pets (name_key, id)',
    'changed unique index pets_name',
  ],
  ['drop index pets_name', 'missing index pets_name'],
  ['create unique index one on pets (name)', 'foreign unique index one'],
  ['alter table pets add column note text', 'foreign column pets.note'],
  ['create rule nothing as on delete to pets do instead nothing', 'foreign rule pets.nothing'],
]
