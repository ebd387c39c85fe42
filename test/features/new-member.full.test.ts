import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { ask } from '../processes/command.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { settingsOn } from '../processes/postgres-store.ts'
import { launchService, repositoryRoot, startService } from '../processes/process.ts'
import { workingCopy } from '../processes/working-copy.ts'

const form = 'console/src/categories/category-form.tsx'

/** Adds the optional member `care` to categories: a line of the declaration, a migration for each engine, a field of the form. */
function addCare(root: string): void {
  const edit = (path: string, ...edits: [from: string, to: string][]) => {
    let text = readFileSync(join(root, path), 'utf8')
    for (const [from, to] of edits) {
      assert.equal(text.split(from).length, 2, `${path} has ${from} once`)
      text = text.replace(from, () => to)
    }
    writeFileSync(join(root, path), text)
  }
  edit('src/features/categories/contract.ts', [
    '    description: Type.Optional(\n',
    `    care: Type.Optional(text({ max: 500, description: 'How to keep them.', examples: ['Warm.'] })),\n    description: Type.Optional(\n`,
  ])
  for (const engine of ['sqlite', 'postgres']) {
    const path = join(root, `migrations/${engine}/9999_add_care.sql`)
    writeFileSync(path, 'alter table categories add column care text;\n')
  }
  edit(
    form,
    ['type CategoryDraft = { name: string;', 'type CategoryDraft = { name: string; care: string;'],
    ["labels: { name: 'Name',", "labels: { name: 'Name', care: 'Care',"],
    [
      '({ name, description }) => ({ name,',
      '({ name, care, description }) => ({ name, care: care || null,',
    ],
    [
      "return { name: category?.name ?? '',",
      "return { name: category?.name ?? '', care: category?.care ?? '',",
    ],
    ['          <Textarea\n', "          <TextInput {...text('care')} />\n          <Textarea\n"],
  )
}

describe('a member is added to a record by one line of its declaration', () => {
  for (const engine of ['SQLite', 'PostgreSQL']) {
    it(`on ${engine}: it is written, changed, removed, read, recorded and checked`, async (t) => {
      const root = workingCopy()
      t.after(() => rmSync(root, { recursive: true, force: true }))
      addCare(root)
      execFileSync(process.execPath, ['tools/generate.ts'], { cwd: root, stdio: 'pipe' })
      const file = join(root, 'care.db')
      let address = `sqlite:${file}`
      let run = async (sql: string) => {
        using database = new DatabaseSync(file)
        database.exec(sql)
      }
      if (engine === 'PostgreSQL') {
        const server = await anyPostgres()
        address = await server.createDatabase()
        run = async (sql) => void (await server.query(sql, new URL(address).pathname.slice(1)))
        t.after(async () => {
          await server.dropDatabase(address)
          await server.stop()
        })
      }
      const env = settingsOn(t, address)
      await using store = await startService({ root, env })
      const send = async (method: string, path: string, body?: object) => {
        const headers = { 'content-type': 'application/json' }
        const sent = body ? { headers, body: JSON.stringify(body) } : {}
        const { status, text } = await ask(`${store.baseUrl}${path}`, store.key, {
          method,
          ...sent,
        })
        return { status, text }
      }
      const petstore = async (...args: string[]) => {
        const ofClient = { PETSTORE_URL: store.baseUrl, PETSTORE_KEY: store.key }
        return (await launchService({ root, args, env: { ...env, ...ofClient } }).exited).stdout
      }
      const at = '/categories/1'

      const created = await send('POST', '/categories', { name: 'Geckos', care: 'Warm.' })
      const refused = await send('POST', '/categories', { name: 'Fish', care: 'x'.repeat(501) })
      const renamed = await send('PATCH', at, { name: 'Lizards' })
      const changed = await send('PATCH', at, { care: 'Warm, dry.' })
      const got = await send('GET', at)
      const list = await send('GET', '/categories')
      const removed = await send('PATCH', at, { care: null })
      const events = JSON.parse(
        (await send('GET', '/events?type=category.created&type=category.updated')).text,
      ) as Record<string, unknown>[]
      const document = (await send('GET', '/openapi.json')).text
      const line = await petstore('categories', 'create', '--name', 'Snakes', '--care', 'Dry.')
      const table = await petstore('categories', 'list')
      await run("update categories set care = ' ' where id = 1")
      const verified = await petstore('verify')

      assert.deepEqual(created, { status: 201, text: '{"id":1,"name":"Geckos","care":"Warm."}' })
      assert.equal(refused.status, 400)
      assert.match(refused.text, /care must be a string of 1 to 500 characters/)
      assert.equal(renamed.text, '{"id":1,"name":"Lizards","care":"Warm."}')
      assert.equal(changed.text, '{"id":1,"name":"Lizards","care":"Warm, dry."}')
      assert.equal(got.text, changed.text)
      assert.equal(list.text, `[${changed.text}]`)
      assert.equal(removed.text, '{"id":1,"name":"Lizards"}')
      assert.deepEqual(
        events.map(({ type, data, previous }) => ({ type, data, previous })),
        [
          { type: 'category.created', data: JSON.parse(created.text), previous: undefined },
          {
            type: 'category.updated',
            data: JSON.parse(renamed.text),
            previous: { name: 'Geckos' },
          },
          { type: 'category.updated', data: JSON.parse(changed.text), previous: { care: 'Warm.' } },
          {
            type: 'category.updated',
            data: JSON.parse(removed.text),
            previous: { care: 'Warm, dry.' },
          },
        ],
      )
      assert.match(document, /"care":[^}]*\}.*"How to keep them\."/)
      assert.match(line, /Dry\./)
      assert.match(table, /care[\s\S]*Snakes[\s\S]*Dry\./i)
      assert.match(verified, /The care of row 1 of categories has only white space\./)
    })
  }

  it('the client and the form of the console have it; the types hold', (t) => {
    const root = workingCopy()
    t.after(() => rmSync(root, { recursive: true, force: true }))
    addCare(root)
    execFileSync(process.execPath, ['bin/launch/build-console.js'], { cwd: repositoryRoot })
    symlinkSync(join(repositoryRoot, 'console/node_modules'), join(root, 'console/node_modules'))
    execFileSync(process.execPath, ['tools/generate.ts'], { cwd: root, stdio: 'pipe' })

    for (const project of ['.', 'console']) {
      const compile = ['node_modules/.bin/tsc', '--noEmit', '--project', project]
      try {
        execFileSync(process.execPath, compile, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
      } catch (error) {
        assert.fail((error as { stdout: string }).stdout)
      }
    }

    const records = readFileSync(join(root, 'client/src/generated/records.ts'), 'utf8')
    assert.equal(records.match(/^ {2}care\?: string/gm)?.length, 4)
  })
})
