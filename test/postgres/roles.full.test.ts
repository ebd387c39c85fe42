import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { documents, runSql } from '../harness/documents.ts'
import { createEmptyStore } from '../harness/empty-store.ts'
import { ask } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { startPostgres } from '../processes/postgres.ts'
import { openSession, serveRefused, settingsOn } from '../processes/postgres-store.ts'
import { startService } from '../processes/process.ts'

const guide = documents().find(({ path }) => path === 'docs/guides/postgresql.md')
const [owning, serving] = (guide?.blocks ?? [])
  .filter(({ language }) => language === 'sql')
  .map(({ text }) => text)

describe('the roles of docs/guides/postgresql.md', () => {
  it('the owner migrates; the other role can do everything else', async (t) => {
    const server = await startPostgres()
    t.after(() => server.stop())
    await runSql(server, owning ?? '')
    const at = `127.0.0.1:${server.port}/petstore`
    const owner = settingsOn(t, `postgres://petstore:choose-one@${at}`)
    const service = settingsOn(t, `postgres://petstore_service:choose-another@${at}`)

    await runSql(server, serving ?? '')
    const early = await serveRefused(t, service.PETSTORE_DATABASE ?? '')
    await createEmptyStore(owner.PETSTORE_DATABASE ?? '')
    await using served = await startService({ env: service })
    const created = await ask(`${served.baseUrl}/pets`, served.key, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":7}',
    })
    const listed = await ask(`${served.baseUrl}/store/orders`, served.key)
    const ready = await ask(new URL('/health/ready', served.baseUrl).href, served.key)
    const key = await petstoreInThread(['keys', 'create', '--name', 'a'], { env: service })
    const revoked = await ask(`${served.baseUrl}/keys/2`, served.key, { method: 'DELETE' })
    const verified = await petstoreInThread(['verify'], { env: service })
    await server.query("select setval('pets_id_seq', 1, false)", 'petstore')
    const unrepaired = await petstoreInThread(['verify', '--repair', '--yes'], { env: service })
    const repaired = await petstoreInThread(['verify', '--repair', '--yes'], { env: owner })
    await server.query('revoke select on sequence pets_id_seq from petstore_service', 'petstore')
    const unverified = await petstoreInThread(['verify'], { env: service })

    assert.deepEqual([early.code, key.code, revoked.status], [77, 0, 204])
    assert.match(early.stderr, /permission denied for schema public\.\n$/)
    assert.deepEqual([verified.code, repaired.code], [0, 0])
    for (const { code, stderr } of [unrepaired, unverified]) {
      assert.equal(code, 77, stderr)
      assert.match(stderr, /; their owner may: permission denied for sequence pets_id_seq\.\n$/)
    }
    assert.deepEqual([created.status, listed.status, ready.status], [201, 200, 200])
    const session = await openSession(t, service.PETSTORE_DATABASE ?? '')
    for (const statement of ['create table a (b text)', 'drop table pets', 'truncate pets']) {
      await assert.rejects(session.query(statement), { code: '42501' })
    }
  })
})
